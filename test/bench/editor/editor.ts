// npm run bench:editor: response times of the language server, measured at the client's end of its pipe.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { MessageConnection } from 'vscode-jsonrpc';
import { connectClient, type LanguageClient, type OpenFile } from '../../support/editor/languageClient.ts';
import { bundleServer, startProcess } from '../../support/editor/serverProcess.ts';
import { table } from '../table.ts';
import { compositionText, manyProjects, workspaceFiles } from './editorTexts.ts';

/** Times in milliseconds. `target`: for the 95th percentile. */
type Row = { what: string; times: number[]; target: number };

/** The same as in the extension: most objects of a parse are short-lived, and a small young generation copies them needlessly. */
const nodeArguments = ['--max-semi-space-size=64'];

const rows: Row[] = [];

/** How long the load of an idle server is measured, in milliseconds. */
const idleMs = 10_000;

/** The part of a processor that the server uses with `count` projects without activity; undefined if it was not measured. */
let idle: { count: number; load: number } | undefined;

const bundle = await bundleServer();
const folder = await mkdtemp(join(tmpdir(), 'framework-editor-'));
try {
  await measureStart();
  await measureTyping(100);
  await measureTyping(1000);
  await measureWorkspace(1000);
  await measureProjects(300);
} finally {
  await rm(folder, { recursive: true, force: true });
  await bundle.remove();
}
print();

async function measureStart(): Promise<void> {
  await withFiles('start', new Map([['index.html', compositionText(5000)]]), async (uri) => {
    for (let run = 0; run < 10; run++) {
      const server = startProcess(bundle.path, nodeArguments);
      await measure('start to ready', 300, async () => {
        await connectClient(server.connection, { folders: [uri('')] });
      });
      await server.stop();
    }
  });
}

/** Each sample is one keystroke and its response. Keystrokes alternately make a value wrong and correct it. */
async function measureTyping(kilobytes: number): Promise<void> {
  const size = kilobytes < 1000 ? `${kilobytes} KB` : `${kilobytes / 1000} MB`;
  const isLarge = kilobytes >= 1000;
  const text = compositionText(kilobytes * 1000);
  await withFiles(`typing${kilobytes}`, new Map([['index.html', text]]), (uri) =>
    withClient([uri('')], async (client) => {
      const file = await client.open(uri('index.html'), text);
      await file.diagnostics();
      const samples = isLarge ? 30 : 100;
      const type = toggler(file, 'data-start="clip0" ', 'data-start="clop0" ');
      // Measured separately: V8 is still compiling the code.
      for (let run = 0; run < 20; run++) {
        await measure(`first keystrokes to diagnostics, ${size}`, isLarge ? 600 : 200, async () => {
          void type();
          await file.diagnostics();
        });
      }
      for (let run = 0; run < samples; run++) {
        await measure(`keystroke to diagnostics, ${size}`, isLarge ? 150 : 20, async () => {
          void type();
          await file.diagnostics();
        });
      }
      for (const [what, method] of [
        ['completion', 'textDocument/completion'],
        ['hover', 'textDocument/hover'],
      ] as const) {
        for (let run = 0; run < samples; run++) {
          await measure(`keystroke to ${what}, ${size}`, isLarge ? 150 : 20, async () => {
            void type();
            await file.askAt(method, '" data-duration="2" data-track-index="1"');
          });
        }
      }
    }),
  );
}

async function measureWorkspace(count: number): Promise<void> {
  await withFiles('workspace', workspaceFiles(count), async (uri) => {
    const server = startProcess(bundle.path, nodeArguments);
    let client: LanguageClient | undefined;
    await measure(`${count} compositions indexed`, 3000, async () => {
      client = await connectClient(server.connection, { folders: [uri('')] });
      await client.connection.sendRequest('framework/compositions');
    });
    if (!client) return;
    const { connection } = client;
    await measure(`workspace diagnostics of ${count} compositions`, 5000, async () => {
      await connection.sendRequest('framework/lintWorkspace', null);
      await connection.sendRequest('workspace/diagnostic', { previousResultIds: [] });
    });
    const file = await client.open(uri('shared.html'), workspaceFiles(1).get('shared.html') ?? '');
    for (let run = 0; run < 5; run++) {
      await measure(`rename across ${count} compositions`, 1000, () =>
        file.askAt('textDocument/rename', 'title0"', { newName: `name${run}` }),
      );
    }
    const type = toggler(file, 'data-start="clip0" ', 'data-start="clop0" ');
    for (let run = 0; run < 50; run++) {
      await measure(`keystroke to diagnostics, next to ${count} compositions`, 20, async () => {
        void type();
        await file.diagnostics();
      });
    }
    await server.stop();
  });
}

/** A workspace of many projects, none of them open: the time until the tree is shown, and the load afterwards. */
async function measureProjects(count: number): Promise<void> {
  await withFiles('projects', manyProjects(count), async (uri) => {
    const server = startProcess(bundle.path, nodeArguments);
    let client: LanguageClient | undefined;
    await measure(`start to the tree of ${count} projects`, 3000, async () => {
      client = await connectClient(server.connection, { folders: [uri('')] });
      await client.connection.sendRequest('framework/projects');
    });
    const stopPulling = pullLikeTheEditor(server.connection);
    // The server has finished when it has sent its status.
    await client?.waitFor('framework/status', ({ state }: { state: string }) => state === 'ready');
    const before = processorMs(server.process.pid);
    await setTimeout(idleMs);
    const after = processorMs(server.process.pid);
    idle = before === undefined || after === undefined ? undefined : { count, load: (after - before) / idleMs };
    stopPulling();
    await measure(`lint ${count} projects`, 15_000, async () => {
      await server.connection.sendRequest('framework/lintWorkspace', null);
    });
    await server.stop();
  });
}

/** Pulls workspace diagnostics as the client in VS Code does: again 2 seconds after each response. */
function pullLikeTheEditor(connection: MessageConnection): () => void {
  let isStopped = false;
  const pull = async (): Promise<void> => {
    await connection.sendRequest('workspace/diagnostic', { previousResultIds: [] });
    await setTimeout(2000);
    if (!isStopped) await pull();
  };
  // The connection ends while a request is waiting.
  pull().catch(() => undefined);
  return () => {
    isStopped = true;
  };
}

/** The processor time of a process so far, in milliseconds; undefined without /proc. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // User and system time, in ticks of 10 ms.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}

function toggler(file: OpenFile, one: string, other: string): () => Promise<void> {
  let isOne = true;
  return async () => {
    isOne = !isOne;
    await (isOne ? file.replace(other, one) : file.replace(one, other));
  };
}

async function measure(what: string, target: number, run: () => Promise<unknown>): Promise<void> {
  const row = rows.find((each) => each.what === what) ?? { what, times: [], target };
  if (row.times.length === 0) rows.push(row);
  const start = performance.now();
  await run();
  row.times.push(performance.now() - start);
}

async function withClient(folders: readonly string[], run: (client: LanguageClient) => Promise<void>): Promise<void> {
  const server = startProcess(bundle.path, nodeArguments);
  try {
    await run(await connectClient(server.connection, { folders }));
  } finally {
    await server.stop();
  }
}

async function withFiles(
  name: string,
  files: ReadonlyMap<string, string>,
  run: (uri: (path: string) => string) => Promise<void>,
): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, name, path)), { recursive: true });
    await writeFile(join(folder, name, path), text);
  }
  await run((path) => pathToFileURL(join(folder, name, path)).href.replace(/\/$/, ''));
}

function print(): void {
  const at = ({ times }: Row, part: number) => {
    const sorted = [...times].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
  };
  const column = (title: string, part: number) => ({
    title,
    numeric: true,
    text: (row: Row) => at(row, part).toFixed(1),
  });
  const isMet = (row: Row) => at(row, 0.95) <= row.target;
  console.log('Times in milliseconds.\n');
  console.log(
    table(
      [
        { title: 'Operation', text: ({ what }: Row) => what },
        { title: 'Samples', numeric: true, text: ({ times }) => `${times.length}` },
        column('p50', 0.5),
        column('p95', 0.95),
        column('p99', 0.99),
        { title: 'Target for p95', numeric: true, text: (row) => `${row.target}${isMet(row) ? '' : ', missed'}` },
      ],
      rows,
    ),
  );
  if (idle)
    console.log(
      `\nLoad of the idle server with ${idle.count} projects: ${(100 * idle.load).toFixed(1)} % of a processor.`,
    );
  if (!rows.every(isMet)) process.exitCode = 1;
}
