// Puts the extension together: log, status, commands, and the language client, which starts in the background.
import { commands, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { createActiveComposition } from './activeComposition.ts';
import { createLanguageModelTools } from './agents/languageModelTools.ts';
import { createMcpServer } from './agents/mcpServer.ts';
import { createFirstHour } from './create/firstHour.ts';
import { createVariableForms } from './form/variableForms.ts';
import type { Host } from './host.ts';
import { createLanguageServer, type LanguageServer } from './languageServer.ts';
import { createStatus } from './languageStatus.ts';
import { createPreviewCommands } from './preview/previewCommands.ts';
import { createRenderHistory } from './render/history.ts';
import { createRenderCommands } from './render/renderCommands.ts';
import { createRenders } from './render/renders.ts';
import { createSetUpCommands } from './setup/setUpCommands.ts';
import type { RenderTools, Tools } from './tools.ts';
import { createTriedValues } from './values.ts';
import { createSidebar } from './views/sidebar.ts';

/** What tests are given. Milliseconds. */
export type ExtensionApi = {
  /** How long `activate` itself took, without what it left for later. */
  activationMs: number;
  /** Resolves when the language server answers, to the time from activation until then; rejects when it never will. */
  ready: Promise<number>;
};

let running: { server: LanguageServer; log: LogOutputChannel } | undefined;

export function startExtension(context: ExtensionContext, host: Host): ExtensionApi {
  const started = performance.now();
  const log = window.createOutputChannel('Framework', { log: true });
  const status = createStatus(host.startCli !== undefined);
  const server = createLanguageServer(context, host, log, (state) => {
    status.showServer(state);
    // What was asked before the folders were read is asked again.
    if (state.kind === 'running') active.refresh();
  });
  running = { server, log };
  const values = createTriedValues(context.workspaceState);
  const active = createActiveComposition(server);
  const history = createRenderHistory(context.workspaceState);
  const { extensionPath } = context;
  const shared: RenderTools = { context, extensionPath, host, server, log, values, active, history };
  const renders = createRenders(shared);
  const tools: Tools = { ...shared, renders };
  const forms = createVariableForms(tools);
  context.subscriptions.push(
    log,
    status,
    server,
    values,
    active,
    history,
    renders,
    forms,
    ...createPreviewCommands(tools),
    ...createRenderCommands(tools, forms),
    ...createSidebar(tools),
    ...createFirstHour(tools),
    ...createSetUpCommands(tools, status),
    ...createLanguageModelTools(tools),
    ...createMcpServer(tools),
    commands.registerCommand('framework.showLog', () => log.show()),
    commands.registerCommand('framework.restartServer', () => server.restart()),
  );
  const answering = afterThisTurn()
    .then(() => server.start())
    .then(() => performance.now() - started);
  answering.then(
    (ms) => log.info(`The language server answers after ${Math.round(ms)} ms.`),
    (error) => log.error(`The language server did not start: ${error instanceof Error ? error.message : error}`),
  );
  const activationMs = performance.now() - started;
  log.debug(`Activated in ${activationMs.toFixed(1)} ms.`);
  return { activationMs, ready: answering };
}

/** Loading the language client takes longer than all else: the window gets its answer first. */
function afterThisTurn(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}

/** Ends renders and the server, and waits for the server. */
export async function stopExtension(): Promise<void> {
  await running?.server.stop();
  running = undefined;
}
