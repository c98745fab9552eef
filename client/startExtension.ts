// Creates the parts of the extension: log, status, commands, and the language client, which starts in the background.
import { commands, Disposable, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { createAccount } from './account/account.ts';
import { createAccountCommands } from './account/accountCommands.ts';
import type { Checks } from './check/checkCommands.ts';
import { createActiveComposition } from './compositions/activeComposition.ts';
import { watchCompositionPaths } from './compositions/compositionPaths.ts';
import { createDraftValues } from './compositions/draftValues.ts';
import { followMoves } from './compositions/followMoves.ts';
import { createWalkthrough } from './create/walkthrough.ts';
import type { ExtensionServices } from './extensionServices.ts';
import { createVariableForms } from './form/variableForms.ts';
import type { Host } from './host.ts';
import { createLanguageServer, type LanguageServer } from './language/languageServer.ts';
import { createStatus } from './language/languageStatus.ts';
import { createLintCommands } from './language/lintWorkspace.ts';
import { createMcpServer } from './mcpServer.ts';
import { createCompareCommand } from './preview/compareCommands.ts';
import { createPreviewCommands } from './preview/previewCommands.ts';
import { createPreviews, type Previews } from './preview/previews.ts';
import { createRenderHistory } from './render/history.ts';
import { createRenderCommands } from './render/renderCommands.ts';
import type { RenderServices } from './render/renderServices.ts';
import { createRenders } from './render/renders.ts';
import { shareRenders } from './render/sharedRenders.ts';
import { createVideoEditor } from './render/video/videoEditor.ts';
import { createVideoSize } from './render/videoSize.ts';
import { createSetupCommands } from './setup/setupCommands.ts';
import { createCompositionsView } from './views/compositionsView.ts';
import { createRendersView } from './views/rendersView.ts';
import { createThumbnails } from './views/thumbnails.ts';

/** The API for tests. Times are in milliseconds. */
export type ExtensionApi = {
  /** Duration of `activate`, without the work that continues in the background. */
  activationMs: number;
  /** Resolves to the time from activation until the language server has started; rejects when it does not start. */
  ready: Promise<number>;
};

let running: { server: LanguageServer; log: LogOutputChannel } | undefined;

export function startExtension(context: ExtensionContext, host: Host): ExtensionApi {
  const started = performance.now();
  const log = window.createOutputChannel('Framework', { log: true });
  const status = createStatus(host.startCli !== undefined);
  const server = createLanguageServer(context, host, log, (state) => {
    status.showServer(state);
    // Requests sent before the server had read the workspace may have found nothing.
    if (state.kind === 'running') active.refresh();
  });
  running = { server, log };
  const values = createDraftValues(context.workspaceState);
  const active = createActiveComposition(server, log);
  const history = createRenderHistory(context.workspaceState);
  const { extensionPath } = context;
  const videoSize = createVideoSize(context.workspaceState);
  const own = { context, extensionPath, host, server, log };
  const shared: RenderServices = { ...own, values, active, history, videoSize, now: Date.now };
  const renders = createRenders(shared);
  const services: ExtensionServices = { ...shared, renders };
  const forms = createVariableForms(services);
  const previews = createPreviews(services);
  const account = createAccount(services);
  const thumbnails = createThumbnails(services);
  context.subscriptions.push(
    log,
    status,
    server,
    values,
    active,
    history,
    shareRenders(shared),
    videoSize,
    renders,
    forms,
    previews,
    ...createPreviewCommands(services, previews),
    createBlockCommand(services, previews),
    createCompareCommand({ services, previews, setOf: forms.setOf }),
    ...createRenderCommands(services, forms),
    account,
    ...createAccountCommands(services, account),
    watchCompositionPaths(services),
    followMoves(services, forms, previews),
    ...createCompositionsView(services, thumbnails),
    ...createLintCommands(services),
    createCheckCommands(services, previews),
    ...createRendersView(services, account, thumbnails),
    createVideoEditor(services),
    ...createWalkthrough(services),
    ...createSetupCommands(services, status),
    createFontCommand(services),
    ...createMcpServer(services),
    commands.registerCommand('framework.showLog', () => log.show()),
    commands.registerCommand('framework.restartServer', () => server.restart()),
  );
  const ready = nextTurn()
    .then(() => server.start())
    .then(() => performance.now() - started);
  ready.then(
    (ms) => log.info(`The language server started after ${Math.round(ms)} ms.`),
    (error) => log.error(`The language server did not start: ${error instanceof Error ? error.message : error}`),
  );
  const activationMs = performance.now() - started;
  log.debug(`Activated in ${activationMs.toFixed(1)} ms.`);
  return { activationMs, ready };
}

function createBlockCommand(services: ExtensionServices, previews: Previews): Disposable {
  return commands.registerCommand('framework.insertBlock', async (given: unknown) => {
    // Loaded lazily, because it is rarely used.
    const { chooseAndInsert } = await import('./create/insertBlock.ts');
    await chooseAndInsert(services, previews, given);
  });
}

function createCheckCommands(services: ExtensionServices, { findings }: Previews): Disposable {
  let loaded: Promise<Checks> | undefined;
  const load = (): Promise<Checks> => {
    // Loaded lazily, because many windows never use it.
    loaded ??= import('./check/checkCommands.ts').then(({ createChecks }) => createChecks(services, findings));
    return loaded;
  };
  return Disposable.from(
    commands.registerCommand('framework.check', async (given: unknown) => (await load()).check(given)),
    commands.registerCommand('framework.checkRows', async (given: unknown) => (await load()).checkRows(given)),
    { dispose: () => void loaded?.then((checks) => checks.dispose()) },
  );
}

function createFontCommand(services: ExtensionServices): Disposable {
  return commands.registerCommand('framework.addFont', async (given: unknown) => {
    // Loaded lazily, because it is rarely used.
    const { addAskedFont } = await import('./fonts/addFont.ts');
    await addAskedFont(given, services);
  });
}

/** Loading the language client is the slowest step, so `activate` returns first. */
function nextTurn(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}

/** Stops the language server and waits for its end. */
export async function stopExtension(): Promise<void> {
  await running?.server.close();
  running = undefined;
}
