// Connects protocol requests to features. A feature is a function of a file and knows nothing about the connection.
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
  type WorkspaceEdit,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver';
import type { Position } from 'vscode-languageserver-types';
import { batchInfo, compositionInfo } from './compositionInfo.ts';
import { batchRange } from './features/batch/batchFile.ts';
import { batchDefinition, completeBatch, hoverBatch } from './features/batch/batchLanguage.ts';
import { batchLenses } from './features/batch/batchLenses.ts';
import { isDataFile } from './features/batch/batchTarget.ts';
import { rowEdits } from './features/batch/rowEdits.ts';
import { rowTable } from './features/batch/rowTable.ts';
import { codeActions } from './features/codeActions.ts';
import { codeLenses } from './features/codeLenses.ts';
import { colorPresentations, colors } from './features/colors.ts';
import { complete } from './features/completion/completion.ts';
import type { DocLink } from './features/diagnostics.ts';
import type { FontFiles } from './features/hover/fontSample.ts';
import { hoverWithSample } from './features/hover/hover.ts';
import type { Manifest } from './features/ignoreActions.ts';
import { inlayHints } from './features/inlayHints.ts';
import { definition } from './features/navigation/definition.ts';
import { documentLinks } from './features/navigation/documentLinks.ts';
import { fileRename } from './features/navigation/fileRename.ts';
import { foldingRanges } from './features/navigation/folding.ts';
import { documentSymbols, outline } from './features/navigation/outline.ts';
import { references } from './features/navigation/references.ts';
import { prepareRename, rename } from './features/navigation/rename.ts';
import { workspaceSymbols } from './features/navigation/workspaceSymbols.ts';
import { blockEdits } from './features/refactor/blockEdits.ts';
import { clipEdits } from './features/refactor/clipEdits.ts';
import { declareVariable } from './features/refactor/declareVariable.ts';
import { defaultEdits } from './features/refactor/defaultEdits.ts';
import { changePart, findParts, partVariable } from './features/refactor/shownParts.ts';
import { changeText, findText } from './features/refactor/shownText.ts';
import { semanticTokens } from './features/semanticTokens.ts';
import type { Findings } from './findings.ts';
import type { Batches, OwnedBatch } from './projects/batches.ts';
import { manifestName } from './projects/projectFolders.ts';
import type { OwnedFile, Projects } from './projects/projects.ts';
import type { ProjectInfo, ServerRequests } from './protocol.ts';
import { type RunSafe, stopIfCancelled } from './runSafe.ts';
import { yieldToEventLoop } from './scheduler.ts';
import { joinUri, pathBelow, schemeOf } from './uris.ts';

type HandlerContext = {
  connection: Connection;
  projects: Projects;
  batches: Batches;
  findings: Findings;
  fontFiles: FontFiles;
  docLink: DocLink;
  runSafe: RunSafe;
};

/** The parameter that all requests about a file have in common. */
type DocumentParams = { textDocument: { uri: string } };

/** Registers handlers for all requests except diagnostics. */
export function registerHandlers(parts: HandlerContext): void {
  registerTypingHandlers(parts);
  registerProjectHandlers(parts);
  registerFileHandlers(parts);
}

/** Requests that an author waits for while typing. They need only the file and the files that it embeds. */
function registerTypingHandlers(parts: HandlerContext): void {
  const { connection, projects, runSafe, fontFiles } = parts;
  const fileWithTargets = async ({ textDocument: { uri } }: DocumentParams, token: CancellationToken) => {
    await projects.targetsReady(uri);
    stopIfCancelled(token);
    return projects.file(uri);
  };
  connection.onCompletion(
    runSafe('Completion', null, async (params: CompletionParams, token) => {
      const batch = await batchWhenReady(parts, params, token);
      if (batch) return { isIncomplete: false, items: await completeBatch(batch, offsetIn(batch, params.position)) };
      const file = await fileWithTargets(params, token);
      return file ? complete(file, offsetIn(file, params.position)) : null;
    }),
  );
  connection.onHover(
    runSafe('Hover', null, async (params: HoverParams, token) => {
      const batch = await batchWhenReady(parts, params, token);
      if (batch) return hoverBatch(batch, offsetIn(batch, params.position));
      const file = await fileWithTargets(params, token);
      if (!file) return null;
      const offset = offsetIn(file, params.position);
      return hoverWithSample(file, offset, fontFiles);
    }),
  );
  connection.languages.inlayHint.on(
    runSafe('Inlay hints', [], async (params: InlayHintParams, token) => {
      const file = await fileWithTargets(params, token);
      return file ? inlayHints(file, params.range) : [];
    }),
  );
  connection.onDefinition(
    runSafe('Definition', [], async (params: HoverParams, token) => {
      const batch = await batchWhenReady(parts, params, token);
      if (batch) return batchDefinition(batch, offsetIn(batch, params.position));
      const file = await fileWithTargets(params, token);
      return file ? definition(file, offsetIn(file, params.position)) : [];
    }),
  );
  /** A request of the extension about a composition; null if the file is none. */
  const onRequest = <Method extends TypingRequest>(
    method: Method,
    answer: (file: OwnedFile, params: ServerRequests[Method]['params']) => ServerRequests[Method]['result'],
  ) =>
    connection.onRequest<unknown, void>(
      method,
      runSafe(method, null, async (params: ServerRequests[Method]['params'], token) => {
        const file = await fileWithTargets({ textDocument: { uri: params.uri } }, token);
        return file ? answer(file, params) : null;
      }),
    );
  onRequest('framework/clipEdits', (file, { offset, change }) => ({
    version: file.document.version,
    edits: [],
    ...clipEdits(file, offset, change),
  }));
  onRequest('framework/findText', (file, { request }) => findText(file, request));
  onRequest('framework/changeText', (file, { request, value }) => changeText(file, request, value));
  onRequest('framework/findParts', (file, { request }) => findParts(file, request));
  onRequest('framework/changePart', (file, { request, part, value }) => changePart(file, request, part, value));
  onRequest('framework/partVariable', (file, { request, part, id }) => partVariable(file, request, part, id));
}

type TypingRequest =
  | 'framework/clipEdits'
  | 'framework/findText'
  | 'framework/changeText'
  | 'framework/findParts'
  | 'framework/changePart'
  | 'framework/partVariable';

/** Requests whose result is only correct after all files have been read. */
function registerProjectHandlers(parts: HandlerContext): void {
  const { connection, projects, findings, docLink, runSafe } = parts;
  const fileWhenReady = async ({ textDocument: { uri } }: DocumentParams, token: CancellationToken) => {
    await projects.ready(uri);
    stopIfCancelled(token);
    return projects.file(uri);
  };
  connection.onCodeAction(
    runSafe('Code actions', [], async (params: CodeActionParams, token) => {
      const file = await fileWhenReady(params, token);
      if (!file) return [];
      const only = params.context.only ? { only: params.context.only } : {};
      const request = {
        ...only,
        manifest: manifestOf(file),
        docLink,
        isInvoked: params.context.triggerKind === CodeActionTriggerKind.Invoked,
        // An untitled document has no folder for a new file.
        createsFiles: schemeOf(file.document.uri) !== 'untitled',
      };
      return codeActions(file, findings.of(file), params.range, request);
    }),
  );
  connection.onCodeLens(
    runSafe('Code lenses', [], async (params: DocumentParams, token) => {
      const batch = await batchWhenReady(parts, params, token);
      if (batch) return batchLenses(batch);
      const file = await fileWhenReady(params, token);
      return file ? codeLenses(file, file.owner.manifest) : [];
    }),
  );
  connection.onReferences(
    runSafe('References', [], async (params: ReferenceParams, token) => {
      const file = await fileWhenReady(params, token);
      return file ? references(file, offsetIn(file, params.position), params.context.includeDeclaration) : [];
    }),
  );
  connection.onRenameRequest(
    runSafe('Rename', null, async (params: RenameParams, token): Promise<WorkspaceEdit | null> => {
      const file = await fileWhenReady(params, token);
      if (!file) return null;
      const result = rename(file, offsetIn(file, params.position), params.newName);
      // The editor shows this message at the rename box.
      if ('problem' in result) throw new ResponseError(LSPErrorCodes.RequestFailed, result.problem);
      return result;
    }),
  );
  connection.onWorkspaceSymbol(
    runSafe('Workspace symbols', [], async ({ query }: WorkspaceSymbolParams) => {
      await projects.allReady();
      return workspaceSymbols(projects.files(), query);
    }),
  );
  connection.workspace.onWillRenameFiles(
    runSafe('File rename', null, async ({ files }: { files: FileRename[] }) => {
      await projects.allReady();
      return renameFiles(projects, files);
    }),
  );
  connection.onRequest(
    'framework/batch',
    runSafe('Batch', null, async ({ uri, row }: ServerRequests['framework/batch']['params'], token) => {
      const batch = await batchWhenReady(parts, { textDocument: { uri } }, token);
      return batch ? batchInfo(batch, row) : null;
    }),
  );
  connection.onRequest(
    'framework/rows',
    runSafe('Rows', null, async ({ uri, output }: ServerRequests['framework/rows']['params'], token) => {
      const batch = await batchWhenReady(parts, { textDocument: { uri } }, token);
      return batch ? rowTable(batch, output) : null;
    }),
  );
  connection.onRequest(
    'framework/rowEdits',
    runSafe('Row edits', null, async ({ uri, change }: ServerRequests['framework/rowEdits']['params'], token) => {
      const batch = await batchWhenReady(parts, { textDocument: { uri } }, token);
      const edits =
        batch && rowEdits(batch.document.getText(), batch.kind, change, batch.target?.composition.declarations);
      if (!batch || !edits) return null;
      const { version } = batch.document;
      return { version, edits: edits.map(({ span, newText }) => ({ range: batchRange(batch, span), newText })) };
    }),
  );
  type CompositionsParams = ServerRequests['framework/compositions']['params'];
  const compositions = runSafe('Compositions', [], async (params: CompositionsParams) => {
    if (params) return (await projects.filesOf(params.projectUri)).map(compositionInfo);
    await projects.allReady();
    return projects.files().map(compositionInfo);
  });
  const projectList = runSafe('Projects', [], async (): Promise<ProjectInfo[]> => {
    await projects.allReady();
    const found: ProjectInfo[] = [];
    for (const { owner, count } of projects.counts()) {
      const [only] = count === 1 ? await projects.filesOf(owner.uri) : [];
      found.push({ uri: owner.uri, compositions: count, ...(only ? { only: compositionInfo(only) } : {}) });
      // Other requests must not wait until hundreds of files are parsed.
      if (only) await yieldToEventLoop();
    }
    return found;
  });
  connection.onRequest(
    'framework/outline',
    runSafe('Outline', [], async ({ uri }: ServerRequests['framework/outline']['params'], token) => {
      const file = await fileWhenReady({ textDocument: { uri } }, token);
      return file ? outline(file) : [];
    }),
  );
  // The token is the last argument, and the only one of a request without parameters.
  const tokenOf = (given: readonly unknown[]) => given.at(-1) as CancellationToken;
  connection.onRequest('framework/projects', (...given) => projectList(null, tokenOf(given)));
  connection.onRequest('framework/compositions', (...given: unknown[]) =>
    compositions(given.length > 1 ? (given[0] as CompositionsParams) : null, tokenOf(given)),
  );
  connection.onRequest<ServerRequests['framework/insertBlock']['result'], void>(
    'framework/insertBlock',
    runSafe(
      'Insert block',
      null,
      async ({ uri, ...request }: ServerRequests['framework/insertBlock']['params'], token) => {
        const file = await fileWhenReady({ textDocument: { uri } }, token);
        return file ? { version: file.document.version, ...blockEdits(file, request) } : null;
      },
    ),
  );
}

/** Waits until the compositions have been read. Returns undefined immediately if the document is not a data file. */
async function batchWhenReady(
  { projects, batches }: HandlerContext,
  { textDocument: { uri } }: DocumentParams,
  token: CancellationToken,
): Promise<OwnedBatch | undefined> {
  if (!isDataFile(uri)) return undefined;
  await projects.ready(uri);
  stopIfCancelled(token);
  return batches.of(uri);
}

/** Requests that need one file only. */
function registerFileHandlers({ connection, projects, runSafe }: HandlerContext): void {
  const forFile = <Params extends DocumentParams, Result>(
    name: string,
    empty: Result,
    handle: (file: OwnedFile, params: Params) => Result,
  ) =>
    runSafe(name, empty, (params: Params) => {
      const file = projects.file(params.textDocument.uri);
      return file ? handle(file, params) : empty;
    });
  connection.onPrepareRename(
    forFile('Rename', null, (file, { position }: HoverParams) => prepareRename(file, offsetIn(file, position))),
  );
  connection.onDocumentSymbol(forFile('Symbols', [], documentSymbols));
  connection.onDocumentLinks(forFile('Links', [], documentLinks));
  connection.onDocumentColor(forFile('Colors', [], colors));
  connection.onColorPresentation(
    forFile('Colors', [], (file, { color, range }: ColorPresentationParams) => colorPresentations(file, color, range)),
  );
  connection.onFoldingRanges(forFile('Folding', [], foldingRanges));
  connection.languages.semanticTokens.on(forFile('Semantic tokens', { data: [] }, semanticTokens));
  connection.onRequest(
    'framework/composition',
    runSafe('Composition', null, ({ uri }: { uri: string }) => {
      const file = projects.file(uri);
      return file ? compositionInfo(file) : null;
    }),
  );
  connection.onRequest<ServerRequests['framework/declareVariable']['result'], void>(
    'framework/declareVariable',
    runSafe('Variable', null, ({ uri, declaration }: ServerRequests['framework/declareVariable']['params']) => {
      const file = projects.file(uri);
      return file ? { version: file.document.version, ...declareVariable(file, declaration) } : null;
    }),
  );
  connection.onRequest(
    'framework/defaultEdits',
    runSafe('Defaults', null, ({ uri, values }: ServerRequests['framework/defaultEdits']['params']) => {
      const file = projects.file(uri);
      return file ? { version: file.document.version, ...defaultEdits(file, values) } : null;
    }),
  );
}

function offsetIn({ document }: Pick<OwnedFile, 'document'>, position: Position): number {
  return document.offsetAt(position);
}

/** Undefined for untitled documents. */
function manifestOf({ owner, document }: OwnedFile): Manifest | undefined {
  if (schemeOf(document.uri) === 'untitled') return undefined;
  return { uri: joinUri(owner.uri, manifestName), text: owner.manifest };
}

/** The edits of all projects that contain the moved files. */
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
