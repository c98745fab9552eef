// A server of the Model Context Protocol over standard input and output: tools, documentation and a prompt for agents.
import { realpath } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  RootsListChangedNotificationSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { UserError } from '../errors.ts';
import { createWarmSnapshots } from '../render/warmSnapshots.ts';
import { openFolders } from './folders.ts';
import { lintTool } from './lintTool.ts';
import { compositionsTool, variablesTool } from './projectTools.ts';
import { registerPrompts } from './prompts.ts';
import { batchTool, renderTool } from './renderTools.ts';
import { registerResources } from './resources.ts';
import { snapshotTool } from './snapshotTool.ts';
import { type Call, failure, type Tool, type Workplace } from './tool.ts';

export type McpOptions = {
  /** Folders that may be worked in. None: the client's roots; where it has none, the working directory. */
  folders: readonly string[];
  version: string;
  browserPath?: string;
  ffmpegPath?: string;
  stdin: Readable;
  stdout: Writable;
  /** Told what people may want to know; standard output is the protocol's. */
  log(line: string): void;
  signal: AbortSignal;
};

const tools: readonly Tool[] = [lintTool, compositionsTool, variablesTool, snapshotTool, renderTool, batchTool];

/** A browser that nobody uses takes memory from everybody. */
const idleMs = 120_000;

const instructions = `Makes videos out of HTML compositions with typed variables. The way to work: write or edit the HTML, call lint, call snapshot and look at the picture, correct, and render when it is right. The resource framework://docs/compositions.md says how compositions are written. Paths are absolute or relative to the first allowed folder.`;

/** Resolves when the client has gone or `signal` is aborted, and everything is closed. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { version, stdin, stdout, log, signal, browserPath, ffmpegPath } = options;
  const programs = { ...(browserPath ? { browserPath } : {}), ...(ffmpegPath ? { ffmpegPath } : {}) };
  const given = await realFolders(options.folders);
  let allowed = given.length > 0 ? given : await realFolders([process.cwd()]);
  const snapshots = createWarmSnapshots({ ...programs, idleMs });
  const workplace: Workplace = { folders: openFolders(() => allowed), snapshots, programs };
  const server = new McpServer({ name: 'framework', title: 'Framework', version }, { instructions });
  const ending = new AbortController();
  const calls = new Set<Promise<unknown>>();

  /** The client's own folders, where none were given. */
  async function askRoots(): Promise<void> {
    if (given.length > 0 || !server.server.getClientCapabilities()?.roots) return;
    try {
      const { roots } = await server.server.listRoots();
      const paths = roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []));
      allowed = await realFolders(paths, log);
      log(`Working in ${allowed.join(', ') || 'no folder'}`);
    } catch (error) {
      log(`The client does not tell its folders: ${error instanceof Error ? error.message : error}`);
    }
  }
  let asked: Promise<void> = Promise.resolve();
  server.server.oninitialized = () => {
    asked = askRoots();
  };
  server.server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    asked = askRoots();
  });

  for (const { name, title, description, input, writes, run } of tools) {
    const annotations = { readOnlyHint: !writes, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (args, extra) => {
      const call = callOf(extra, ending.signal);
      const work = asked.then(() => run(args, workplace, call)).catch(failure);
      calls.add(work);
      return work.finally(() => calls.delete(work));
    });
  }
  await registerResources(server, workplace);
  registerPrompts(server);

  const gone = new Promise<void>((done) => {
    for (const event of ['end', 'close'] as const) stdin.once(event, done);
    signal.addEventListener('abort', () => done(), { once: true });
    if (signal.aborted) done();
  });
  log(`Working in ${allowed.join(', ')}`);
  try {
    await server.connect(new StdioServerTransport(stdin, stdout));
    await gone;
  } finally {
    ending.abort();
    await snapshots.close();
    await Promise.allSettled(calls);
    await server.close().catch(() => undefined);
  }
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

function callOf({ signal, _meta, sendNotification }: Extra, ending: AbortSignal): Call {
  const progressToken = _meta?.progressToken;
  let last = 0;
  let known: number | undefined;
  return {
    signal: AbortSignal.any([signal, ending]),
    progress(done, total, message) {
      if (progressToken === undefined) return;
      known = total ?? known;
      // The protocol wants it to grow each time, and what comes after the last frame is none.
      const progress = Math.max(done, last + 0.001);
      if (progress > (known ?? Number.POSITIVE_INFINITY)) return;
      last = progress;
      const params = { progressToken, progress, message, ...(known === undefined ? {} : { total: known }) };
      sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

/** Absolute, links followed. With `log`, one that is not there is left out; else it is a UserError. */
async function realFolders(folders: readonly string[], log?: (line: string) => void): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) found.push(real);
    else if (log) log(`There is no folder ${folder}`);
    else {
      throw new UserError('project_not_found', `There is no folder ${folder}`, {
        hint: 'Name the folders that agents may work in.',
      });
    }
  }
  return found;
}
