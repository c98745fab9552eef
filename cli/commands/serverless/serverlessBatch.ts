// `framework serverless render-batch`: starts one render for each line of a file, after checking all lines.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { UserError } from '../../../renderer-core/errors.ts';
import type { ProjectGraph } from '../../../renderer-core/model/graph.ts';
import { lineAndColumn } from '../../../renderer-core/model/text/spans.ts';
import { decodeText } from '../../../renderer-core/model/text/textEncoding.ts';
import { compositionProblems } from '../../../renderer-core/plan/batchValues.ts';
import { checkOptions } from '../../../renderer-core/plan/options.ts';
import { assertNoValueProblems, checkValuesOf, locatedMessage } from '../../../renderer-core/plan/valueProblems.ts';
import { openProject, prepareIn } from '../../../renderer-core/render/prepare.ts';
import { secretOf } from '../../../serverless/deploy/stack.ts';
import { checkChunks, checkConfig } from '../../../serverless/deploy/validateConfig.ts';
import {
  type BatchEntry,
  defaultMaxConcurrent,
  type EntryProblem,
  readEntries,
  type StartBatchOptions,
  startBatch,
  startedBefore,
} from '../../../serverless/renders/batch.ts';
import { collectVideos, videoPath } from '../../../serverless/renders/batchVideos.ts';
import type { EntryResult } from '../../../serverless/renders/reports.ts';
import { renderRequest } from '../../../serverless/renders/start.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { countText } from '../../output/format.ts';
import { barText, createLiveLine } from '../../output/liveLine.ts';
import type { ProgressMode } from '../../output/renderProgress.ts';
import { invalidRowsMode, treatInvalidLines } from './invalidLines.ts';
import { type Account, openAccount } from './serverlessAccount.ts';
import { readChunks, readConfig } from './serverlessOptions.ts';
import { upload } from './serverlessSites.ts';

/** The exit status is 1 if a line failed to start, and 130 if the batch was cancelled. */
export async function runServerlessBatch(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags } = input;
  const file = values.get('batch');
  if (file === undefined) {
    throw new UserError('usage', '--batch is missing', {
      hint: 'Add --batch rows.jsonl, with one {"outputKey": "a.mp4", "variables": {}} per line.',
    });
  }
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UserError('batch_file_unreadable', `Cannot read the batch file ${file} (${error.code})`, {
      cause: error,
    });
  });
  const { text, invalidAt } = decodeText(bytes, file);
  if (invalidAt !== null) {
    const { line } = lineAndColumn(text, invalidAt);
    throw new UserError('batch_file_unreadable', `The batch file ${file} is not UTF-8 text (line ${line})`, {
      hint: 'Save it as UTF-8.',
    });
  }
  const projectDir = input.positionals[0] ?? '.';
  const { strictVariables = false, ...config } = readConfig(input);
  checkConfig(config);
  // The plan step of each render checks the values that scripts set.
  const lineConfig = { ...config, ...(strictVariables ? { strictVariables } : {}) };
  const chunks = readChunks(input);
  checkChunks(chunks);
  const folder = values.get('output');
  const manifest = values.get('manifest');
  const earlier = flags.has('resume') ? await readManifest(manifest) : [];
  const request = renderRequest(projectDir, config);
  const project = await openProject(request);
  const { warnings } = prepareIn(project, checkOptions(request), request);
  const issuesOf = (variables: Record<string, unknown>) =>
    checkValuesOf(project.entry, variables).map(({ message }) => message);
  const read = readEntries(text, issuesOf, { strict: strictVariables, config: lineConfig, chunks });
  const mode = invalidRowsMode(values.get('invalid-rows'), strictVariables);
  const { entries, problems, skipped, usedDefaults } = treatInvalidLines(read, project.entry, mode);
  const complete = (rows: EntryResult[]) =>
    inOrder([...skipped, ...rows]).map((row) => {
      const ids = usedDefaults.get(row.line);
      return ids ? { ...row, usedDefaults: ids } : row;
    });
  const { ofAll, ofLines } = valueProblems(project.graph, entries, strictVariables);
  rejectProblems([...problems, ...ofLines], file);
  // Would change the site, and with it what --resume compares, if they are in the project folder.
  const outputs = [
    ...(manifest === undefined ? [] : [manifest]),
    ...(folder === undefined ? [] : entries.map(({ outputKey }) => videoPath(folder, outputKey))),
  ];
  if (strictVariables) assertNoValueProblems(ofAll);
  const colors = colorsFor(io.stderr, io.env);
  const warn = (message: string) => io.stderr.write(`${colors.yellow('warning:')} ${message}\n`);
  for (const message of [...ofAll.map(locatedMessage), ...warnings]) warn(message);
  for (const { line, message } of [...problems, ...ofLines]) warn(`${file}:${line}: ${message}`);
  if (flags.has('dry-run')) {
    const rows = entries.map(({ line, outputKey }): EntryResult => ({ line, outputKey, status: 'would-invoke' }));
    return present(complete(rows), input, io);
  }
  const account = openAccount(input, io);
  const stack = await account.renderStack();
  if (entries.some(({ callback }) => callback !== undefined)) secretOf(stack, account.stackName);
  const { bucketName, stateMachineArn } = stack;
  const siteId = values.get('site-id') ?? (await upload(account, bucketName, input, io, outputs)).siteId;
  const kept = startedBefore(earlier, entries, { config: lineConfig, chunks, siteId });
  const keptLines = new Set(kept.map(({ line }) => line));
  const left = entries.filter(({ line }) => !keptLines.has(line));
  if (kept.length > 0) io.stderr.write(`${countText(kept.length, 'line')} of ${entries.length} started before\n`);
  const target = { bucket: bucketName, siteId, stateMachineArn };
  const order = { entries: left, config: lineConfig, chunks, stack: target };
  const rows = await runLines(order, kept, account, input, io);
  const status = await present(complete(rows), input, io);
  return io.signal.aborted ? 130 : status;
}

/** Starts the lines, and waits for all videos with `--wait` or `--output`. `kept`: lines that were started before. */
async function runLines(
  order: Pick<StartBatchOptions, 'entries' | 'config' | 'chunks' | 'stack'>,
  kept: readonly EntryResult[],
  account: Account,
  input: CommandInput,
  io: CliIo,
): Promise<EntryResult[]> {
  const { values, flags } = input;
  const { stepFunctions: client } = account;
  const { signal } = io;
  const { bucket, stateMachineArn } = order.stack;
  const folder = values.get('output');
  const isWaiting = flags.has('wait') || folder !== undefined;
  const toEnd = isWaiting ? kept.length + order.entries.length : 0;
  const show = createProgress(order.entries.length, toEnd, input, io);
  const saved = manifestWriter(values.get('manifest'), kept);
  const onVideo = (row: EntryResult): void => {
    show.ended(row);
    saved.add(row);
  };
  const place = { client, stateMachineArn, bucket: account.bucket(bucket), folder };
  const videos = isWaiting ? collectVideos({ ...place, onResult: onVideo, signal, now: Date.now }) : undefined;
  try {
    for (const row of kept) videos?.add(row);
    const started = await startBatch({
      client,
      ...order,
      maxConcurrent: Number(values.get('max-concurrent') ?? defaultMaxConcurrent),
      onResult(result, done) {
        show.result(result, done);
        saved.add(result);
        videos?.add(result);
      },
      signal,
      now: Date.now,
    });
    return videos ? await videos.end() : [...kept, ...started];
  } finally {
    videos?.stop();
    await saved.end();
    show.clear();
  }
}

/** The problems of values that reach embedded files: those of all lines, and those of single lines. */
function valueProblems(graph: ProjectGraph, entries: readonly BatchEntry[], isStrict: boolean) {
  const rows = entries.map(({ line, variables }) => ({ index: line, variables }));
  const found = compositionProblems(graph, rows);
  return {
    ofAll: found.filter(({ row }) => row === undefined),
    ofLines: found.flatMap((problem): EntryProblem[] => {
      const { row: line, isUnresolved } = problem;
      const severity = isStrict && !isUnresolved ? 'error' : 'warning';
      return line === undefined ? [] : [{ line, message: locatedMessage(problem), severity }];
    }),
  };
}

function rejectProblems(problems: EntryProblem[], file: string): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const head = `${countText(errors.length, 'problem')} in ${file}; nothing was started`;
  const list = errors.map(({ line, message }) => `${file}:${line}: ${message}`);
  throw new UserError('batch_invalid', [head, ...list].join('\n'), {
    hint: 'Fix the lines and run the command again.',
    problems: errors.map(({ line, message }) => ({ message, place: { file, line } })),
  });
}

async function present(rows: EntryResult[], { values, flags }: CommandInput, io: CliIo): Promise<number> {
  const manifest = values.get('manifest');
  if (manifest !== undefined) await writeManifest(manifest, rows);
  const failed = rows.filter(({ error }) => error !== undefined).length;
  if (flags.has('json')) io.stdout.write(`${JSON.stringify(rows)}\n`);
  else {
    for (const { line, status, outputKey, output, executionArn, error } of rows)
      io.stdout.write(
        `${[line, status, outputKey, output ?? error?.message ?? executionArn ?? ''].join('\t').trimEnd()}\n`,
      );
    io.stderr.write(`${sumText(rows, flags.has('dry-run'))}\n`);
  }
  return failed > 0 ? 1 : 0;
}

/** `3 succeeded, 1 failed`: the statuses that occur, and always those of started lines. */
function sumText(rows: readonly EntryResult[], isDryRun: boolean): string {
  const count = (status: EntryResult['status']) => rows.filter((row) => row.status === status).length;
  const invalid = [
    ...(count('skipped') > 0 ? [`${count('skipped')} skipped because of values that do not fit`] : []),
    ...(rows.some((row) => row.usedDefaults)
      ? [`${rows.filter((row) => row.usedDefaults).length} used defaults because of values that do not fit`]
      : []),
  ];
  if (isDryRun) return [`${count('would-invoke')} would-invoke`, ...invalid].join(', ');
  const isFinished = count('succeeded') + count('failed') > 0;
  const shown = isFinished
    ? (['succeeded', 'failed', 'started', 'failed-to-start'] as const).filter((status) => count(status) > 0)
    : (['started', 'failed-to-start'] as const);
  return [...shown.map((status) => `${count(status)} ${status}`), ...invalid].join(', ');
}

/** The rows of an earlier run; none if there is no manifest yet. Throws UserError. */
async function readManifest(path: string | undefined): Promise<EntryResult[]> {
  if (path === undefined) {
    throw new UserError('usage', '--resume needs the manifest of the earlier run', {
      hint: 'Add --manifest rows.json.',
    });
  }
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw new UserError('batch_file_unreadable', `Cannot read the manifest ${path} (${error.code})`, { cause: error });
  });
  const rows = parsed(text);
  if (Array.isArray(rows) && rows.every(isRow)) return rows;
  throw new UserError('batch_file_unreadable', `${path} is not a manifest of render-batch`, {
    hint: 'Pass the file that --manifest wrote, or leave out --resume.',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields by which a line is recognized. */
function isRow(value: unknown): value is EntryResult {
  const { outputKey, status } = (value ?? {}) as Record<string, unknown>;
  return typeof outputKey === 'string' && typeof status === 'string';
}

async function writeManifest(path: string, rows: readonly EntryResult[]): Promise<void> {
  const temporary = `${path}.${process.pid}.partial`;
  await writeFile(temporary, `${JSON.stringify(inOrder(rows), null, 2)}\n`);
  await rename(temporary, path);
}

const inOrder = (rows: readonly EntryResult[]): EntryResult[] => [...rows].sort((a, b) => a.line - b.line);

/** Time between two writes of the manifest while lines are started. */
const manifestMs = 1_000;

/** Writes the rows so far, so that a killed batch can be resumed. A failure is reported by the write of all rows at the end. */
function manifestWriter(path: string | undefined, kept: readonly EntryResult[]) {
  const rows = new Map(kept.map((row) => [row.line, row]));
  let written = Promise.resolve();
  let isDue = false;
  const timer = setInterval(() => {
    if (!isDue || path === undefined) return;
    isDue = false;
    written = written.then(() => writeManifest(path, [...rows.values()])).catch(() => undefined);
  }, manifestMs);
  return {
    add(row: EntryResult): void {
      rows.set(row.line, row);
      isDue = true;
    },
    async end(): Promise<void> {
      clearInterval(timer);
      await written;
    },
  };
}

/** `toStart` lines are started; `toEnd` renders are waited for. */
function createProgress(toStart: number, toEnd: number, { values }: CommandInput, io: CliIo) {
  const mode = (values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  let started = 0;
  let ended = 0;
  const draw = (): void => {
    const share = toEnd === 0 ? started / toStart : ended / toEnd;
    const ends = toEnd === 0 ? '' : `, ${ended}/${toEnd} renders ended`;
    live.draw(`${barText(share)} ${started}/${toStart} lines started${ends}`);
  };
  const show = (result: EntryResult): void => {
    if (mode === 'ndjson') io.stderr.write(`${JSON.stringify({ type: 'entry', ...result })}\n`);
    else if (mode === 'auto' && io.stderr.isTTY) draw();
  };
  return {
    clear: live.clear,
    result(result: EntryResult, done: number): void {
      started = done;
      show(result);
    },
    ended(result: EntryResult): void {
      ended++;
      show(result);
    },
  };
}
