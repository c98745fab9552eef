// Which request is answered by which feature. Features are functions of a file; here they meet the protocol.
import type { CodeActionParams, CodeLensParams, Connection } from 'vscode-languageserver';
import type { Abilities } from './client.ts';
import { codeActions } from './features/codeActions.ts';
import { codeLenses } from './features/codeLenses.ts';
import type { DocLink } from './features/diagnostics.ts';
import type { Manifest } from './features/ignoreActions.ts';
import type { Findings } from './findings.ts';
import { type Guard, stopIfCancelled } from './guard.ts';
import { manifestName } from './projectFolders.ts';
import type { OwnedFile, Projects } from './projects.ts';
import type { CompositionInfo } from './protocol.ts';
import { joinUri, schemeOf } from './uris.ts';

type Parts = {
  connection: Connection;
  projects: Projects;
  findings: Findings;
  docLink: DocLink;
  guard: Guard;
  abilities: Abilities;
};

/** Registers the answers to everything but diagnostics. */
export function answerRequests(parts: Parts): void {
  const { connection, projects, findings, docLink, guard, abilities } = parts;

  connection.onCodeAction(
    guard('Code actions', [], async ({ textDocument, range, context }: CodeActionParams, token) => {
      await projects.ready(textDocument.uri);
      stopIfCancelled(token);
      const file = projects.file(textDocument.uri);
      if (!file) return [];
      const only = context.only ? { only: context.only } : {};
      return codeActions(file, findings.of(file), range, { ...only, manifest: manifestOf(file, abilities), docLink });
    }),
  );
  connection.onCodeLens(
    guard('Code lenses', [], async ({ textDocument: { uri } }: CodeLensParams) => {
      await projects.ready(uri);
      const file = projects.file(uri);
      return file ? codeLenses(file) : [];
    }),
  );

  connection.onRequest(
    'framework/composition',
    guard('Composition', null, ({ uri }: { uri: string }) => {
      const file = projects.file(uri);
      return file ? compositionInfo(file) : null;
    }),
  );
  connection.onRequest(
    'framework/compositions',
    guard('Compositions', [], async () => {
      await projects.allReady();
      return projects.files().map(compositionInfo);
    }),
  );
}

/** Undefined where there can be none: for a document without a file, or a client that cannot create files. */
function manifestOf({ owner, document }: OwnedFile, { createsFiles }: Abilities): Manifest | undefined {
  if (schemeOf(document.uri) === 'untitled' || (owner.manifest === null && !createsFiles)) return undefined;
  return { uri: joinUri(owner.uri, manifestName), text: owner.manifest };
}

function compositionInfo({ uri, path, owner, composition }: OwnedFile): CompositionInfo {
  const { id, width, height, duration, fps, declarations } = composition;
  return {
    uri,
    path,
    projectUri: owner.uri,
    id: id?.text ?? null,
    width: width?.value ?? null,
    height: height?.value ?? null,
    duration: duration?.value ?? null,
    fps: fps?.value ?? null,
    variables: declarations,
  };
}
