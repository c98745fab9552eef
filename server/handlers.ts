// Which request is answered by which feature. Features are functions of a file; here they meet the protocol.
import {
  type CancellationToken,
  type CodeActionParams,
  CodeActionTriggerKind,
  type ColorPresentationParams,
  type CompletionParams,
  type Connection,
  type FileRename,
  type HoverParams,
  type InlayHintParams,
  LSPErrorCodes,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
  type SelectionRangeParams,
  type WorkspaceEdit,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver';
import type { Position } from 'vscode-languageserver-types';
import type { Batches, OwnedBatch } from './batches.ts';
import { batchInfo } from './batchInfo.ts';
import type { Abilities } from './client.ts';
import { compositionInfo } from './compositionInfo.ts';
import { batchDefinition, completeBatch, hoverBatch } from './features/batchLanguage.ts';
import { batchLenses } from './features/batchLenses.ts';
import { isDataFile } from './features/batchTarget.ts';
import { codeActions } from './features/codeActions.ts';
import { codeLenses } from './features/codeLenses.ts';
import { colorPresentations, colors } from './features/colors.ts';
import { complete } from './features/completion.ts';
import { defaultEdits } from './features/defaultEdits.ts';
import { definition } from './features/definition.ts';
import type { DocLink } from './features/diagnostics.ts';
import { documentLinks } from './features/documentLinks.ts';
import { documentSymbols } from './features/documentSymbols.ts';
import { fileRename } from './features/fileRename.ts';
import { foldingRanges } from './features/folding.ts';
import { hover } from './features/hover.ts';
import type { Manifest } from './features/ignoreActions.ts';
import { inlayHints } from './features/inlayHints.ts';
import { outline } from './features/outline.ts';
import { references } from './features/references.ts';
import { prepareRename, rename } from './features/rename.ts';
import { selectionRanges } from './features/selection.ts';
import { semanticTokens } from './features/semanticTokens.ts';
import { workspaceSymbols } from './features/workspaceSymbols.ts';
import type { Findings } from './findings.ts';
import { type Guard, stopIfCancelled } from './guard.ts';
import { manifestName } from './projectFolders.ts';
import type { OwnedFile, Projects } from './projects.ts';
import type { ServerRequests } from './protocol.ts';
import { joinUri, pathBelow, schemeOf } from './uris.ts';

type Parts = {
  connection: Connection;
  projects: Projects;
  batches: Batches;
  findings: Findings;
  docLink: DocLink;
  guard: Guard;
  abilities: Abilities;
};

/** Every request about a file names it like this. */
type AboutFile = { textDocument: { uri: string } };

/** Registers the answers to everything but diagnostics. */
export function answerRequests(parts: Parts): void {
  answerWhileTyping(parts);
  answerAboutProjects(parts);
  answerAboutOne(parts);
}

/** What an author waits for between two keystrokes: it knows at least the file and what that embeds. */
function answerWhileTyping(parts: Parts): void {
  const { connection, projects, guard } = parts;
  const fileNow = async ({ textDocument: { uri } }: AboutFile, token: CancellationToken) => {
    await projects.targetsReady(uri);
    stopIfCancelled(token);
    return projects.file(uri);
  };
  connection.onCompletion(
    guard('Completion', null, async (params: CompletionParams, token) => {
      const batch = await batchThen(parts, params, token);
      if (batch) return { isIncomplete: false, items: await completeBatch(batch, offsetIn(batch, params.position)) };
      const file = await fileNow(params, token);
      return file ? complete(file, offsetIn(file, params.position)) : null;
    }),
  );
  connection.onHover(
    guard('Hover', null, async (params: HoverParams, token) => {
      const batch = await batchThen(parts, params, token);
      if (batch) return hoverBatch(batch, offsetIn(batch, params.position));
      const file = await fileNow(params, token);
      return file ? hover(file, offsetIn(file, params.position)) : null;
    }),
  );
  connection.languages.inlayHint.on(
    guard('Inlay hints', [], async (params: InlayHintParams, token) => {
      const file = await fileNow(params, token);
      return file ? inlayHints(file, params.range) : [];
    }),
  );
  connection.onDefinition(
    guard('Definition', [], async (params: HoverParams, token) => {
      const batch = await batchThen(parts, params, token);
      if (batch) return batchDefinition(batch, offsetIn(batch, params.position));
      const file = await fileNow(params, token);
      return file ? definition(file, offsetIn(file, params.position)) : [];
    }),
  );
}

/** What is only true once every file has been read. */
function answerAboutProjects(parts: Parts): void {
  const { connection, projects, findings, docLink, guard, abilities } = parts;
  const fileThen = async ({ textDocument: { uri } }: AboutFile, token: CancellationToken) => {
    await projects.ready(uri);
    stopIfCancelled(token);
    return projects.file(uri);
  };
  connection.onCodeAction(
    guard('Code actions', [], async (params: CodeActionParams, token) => {
      const file = await fileThen(params, token);
      if (!file) return [];
      const only = params.context.only ? { only: params.context.only } : {};
      const request = {
        ...only,
        manifest: manifestOf(file, abilities),
        docLink,
        isInvoked: params.context.triggerKind === CodeActionTriggerKind.Invoked,
        // A file that is nowhere has no folder for another one.
        createsFiles:
          abilities.createsFiles && abilities.changesDocuments && schemeOf(file.document.uri) !== 'untitled',
        isOurClient: abilities.servesFiles,
      };
      return codeActions(file, findings.of(file), params.range, request);
    }),
  );
  connection.onCodeLens(
    guard('Code lenses', [], async (params: AboutFile, token) => {
      const batch = await batchThen(parts, params, token);
      if (batch) return batchLenses(batch);
      const file = await fileThen(params, token);
      return file ? codeLenses(file) : [];
    }),
  );
  connection.onReferences(
    guard('References', [], async (params: ReferenceParams, token) => {
      const file = await fileThen(params, token);
      return file ? references(file, offsetIn(file, params.position), params.context.includeDeclaration) : [];
    }),
  );
  connection.onRenameRequest(
    guard('Rename', null, async (params: RenameParams, token): Promise<WorkspaceEdit | null> => {
      const file = await fileThen(params, token);
      if (!file) return null;
      const result = rename(file, offsetIn(file, params.position), params.newName);
      // The editor shows the reason beside the name.
      if ('problem' in result) throw new ResponseError(LSPErrorCodes.RequestFailed, result.problem);
      return result;
    }),
  );
  connection.onWorkspaceSymbol(
    guard('Workspace symbols', [], async ({ query }: WorkspaceSymbolParams) => {
      await projects.allReady();
      return workspaceSymbols(projects.files(), query);
    }),
  );
  connection.workspace.onWillRenameFiles(
    guard('File rename', null, async ({ files }: { files: FileRename[] }) => {
      await projects.allReady();
      return renameFiles(projects, files);
    }),
  );
  connection.onRequest(
    'framework/batch',
    guard('Batch', null, async ({ uri, row }: ServerRequests['framework/batch']['params'], token) => {
      const batch = await batchThen(parts, { textDocument: { uri } }, token);
      return batch ? batchInfo(batch, row) : null;
    }),
  );
  const compositions = guard('Compositions', [], async () => {
    await projects.allReady();
    return projects.files().map(compositionInfo);
  });
  connection.onRequest(
    'framework/outline',
    guard('Outline', [], async ({ uri }: ServerRequests['framework/outline']['params'], token) => {
      const file = await fileThen({ textDocument: { uri } }, token);
      return file ? outline(file) : [];
    }),
  );
  // Without parameters the token comes first.
  connection.onRequest('framework/compositions', (...given) => compositions(null, given.at(-1) as CancellationToken));
}

/** The batch in a document, once the compositions around it have been read; undefined at once for other documents. */
async function batchThen(
  { projects, batches }: Parts,
  { textDocument: { uri } }: AboutFile,
  token: CancellationToken,
): Promise<OwnedBatch | undefined> {
  if (!isDataFile(uri)) return undefined;
  await projects.ready(uri);
  stopIfCancelled(token);
  return batches.of(uri);
}

/** What is said about one file alone. */
function answerAboutOne({ connection, projects, guard }: Parts): void {
  const answer = <Params extends AboutFile, Result>(
    name: string,
    empty: Result,
    about: (file: OwnedFile, params: Params) => Result,
  ) =>
    guard(name, empty, (params: Params) => {
      const file = projects.file(params.textDocument.uri);
      return file ? about(file, params) : empty;
    });
  connection.onPrepareRename(
    answer('Rename', null, (file, { position }: HoverParams) => prepareRename(file, offsetIn(file, position))),
  );
  connection.onDocumentSymbol(answer('Symbols', [], documentSymbols));
  connection.onDocumentLinks(answer('Links', [], documentLinks));
  connection.onDocumentColor(answer('Colours', [], colors));
  connection.onColorPresentation(
    answer('Colours', [], (file, { color, range }: ColorPresentationParams) => colorPresentations(file, color, range)),
  );
  connection.onFoldingRanges(answer('Folding', [], foldingRanges));
  connection.onSelectionRanges(
    answer('Selection', [], (file, { positions }: SelectionRangeParams) =>
      selectionRanges(
        file,
        positions.map((position) => offsetIn(file, position)),
      ),
    ),
  );
  connection.languages.semanticTokens.on(answer('Semantic tokens', { data: [] }, semanticTokens));
  connection.onRequest(
    'framework/composition',
    guard('Composition', null, ({ uri }: { uri: string }) => {
      const file = projects.file(uri);
      return file ? compositionInfo(file) : null;
    }),
  );
  connection.onRequest(
    'framework/defaultEdits',
    guard('Defaults', null, ({ uri, values }: ServerRequests['framework/defaultEdits']['params']) => {
      const file = projects.file(uri);
      return file ? { version: file.document.version, ...defaultEdits(file, values) } : null;
    }),
  );
}

function offsetIn({ document }: Pick<OwnedFile, 'document'>, position: Position): number {
  return document.offsetAt(position);
}

/** Undefined where there can be none: for a document without a file, or a client that cannot create files. */
function manifestOf({ owner, document }: OwnedFile, { createsFiles }: Abilities): Manifest | undefined {
  if (schemeOf(document.uri) === 'untitled' || (owner.manifest === null && !createsFiles)) return undefined;
  return { uri: joinUri(owner.uri, manifestName), text: owner.manifest };
}

/** The edits of every project that the moves are inside of. */
function renameFiles(projects: Projects, renames: readonly FileRename[]): WorkspaceEdit {
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  const files = projects.files();
  for (const owner of new Set(files.map((file) => file.owner))) {
    const moves = renames.flatMap(({ oldUri, newUri }) => {
      const [from, to] = [pathBelow(owner.uri, oldUri), pathBelow(owner.uri, newUri)];
      return from && to ? [{ from, to }] : [];
    });
    const own = files.filter((file) => file.owner === owner);
    if (moves.length > 0) Object.assign(changes, fileRename(own, moves).changes);
  }
  return { changes };
}
