// The finished segments of a local render. They stay in the cache until its video is complete, so that a render with `--resume`
// can continue after this process was killed.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheRoot } from '../../project/cacheFolder.ts';
import { type FileVersion, fileVersion } from '../../project/fileReads.ts';
import type { OutputTarget } from '../../project/output/outputTarget.ts';
import { isAlive } from '../../project/output/tempFiles.ts';
import { servedFile } from '../../project/serve/projectServer.ts';
import { statIfExists } from '../../project/statIfExists.ts';
import type { ProbedRender, ProgressReporter, RenderRequest } from '../types.ts';
import { type KeptSegments, openKeptSegments } from './keptSegments.ts';

/** What determines segments: hashes by name, for messages, and the versions of the files that the page has read. */
type Inputs = { facts: Record<string, string>; files: [path: string, version: FileVersion][] };

type Place = Pick<OutputTarget, 'path' | 'isStream'> & { root: string; env: NodeJS.ProcessEnv };

/** Undefined if nothing can be kept. Says with `emit` what `resume` leads to. */
export async function openUnfinished(
  probed: ProbedRender,
  { resume = false, features }: Pick<RenderRequest, 'resume' | 'features'>,
  place: Place,
  emit: ProgressReporter['emit'],
): Promise<KeptSegments | undefined> {
  const startOver = (reason: string): void => {
    if (resume) emit({ type: 'warning', message: `The render starts from the beginning: ${reason}.` });
  };
  const obstacle = whyNotKept(probed, place);
  if (obstacle !== undefined) return void startOver(obstacle);
  try {
    const folder = await claimFolder(join(cacheRoot(place.env), 'unfinished'), place.path);
    const facts = await factsOf(probed, features);
    const before = resume ? await readInputs(folder) : undefined;
    const changes = before ? await changesSince(before, facts, place.root) : [];
    const isResumed = before !== undefined && changes.length === 0;
    if (!isResumed) await emptyFolder(folder);
    if (changes.length > 0) startOver(`${changes.join(', ')} changed since it was interrupted`);
    if (resume && !before)
      emit({ type: 'stage', stage: 'capture', message: 'There is no interrupted render to continue' });
    const kept = withInputs(await openKeptSegments(folder, facts), folder, facts, probed);
    return isResumed ? { ...kept, isResumed, find: reportFound(kept, probed, emit) } : kept;
  } catch (error) {
    // A cache that cannot be written must not end a render that needs nothing of it.
    return void startOver(`the cache cannot be used (${String((error as Error).message)})`);
  }
}

function whyNotKept({ plan, page }: ProbedRender, { isStream }: Place): string | undefined {
  // The last segment is always captured again.
  if (plan.chunks.length < 2) return 'a video of one segment is not kept';
  if (plan.format === 'png') return 'frames of png are not kept';
  // The file declares how bright its frames are, which only the pages know.
  if (plan.hdr) return 'HDR video is not kept';
  if (isStream) return 'a render to a device, a pipe or standard output is not kept';
  // They may be others when the render continues.
  if (page.services.remote.isUsed()) return 'segments are not kept if the page uses files of other hosts';
  return undefined;
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/** Folders are kept for this long. */
const keptMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Returns this process's folder for an output, with what an ended process has left for it. Removes what others have left long
 * ago. A running process keeps its own.
 */
async function claimFolder(root: string, output: string): Promise<string> {
  const own = join(root, `${hash(output)}-${process.pid}`);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const left = (await readdir(root)).filter((name) => !isAlive(Number(name.split('-')[1])));
  const mine = left.filter((name) => name.startsWith(hash(output)));
  // Another process may have taken it, or another folder of this output is already here; that one is removed below.
  for (const name of mine) await rename(join(root, name), own).catch(() => undefined);
  await mkdir(own, { recursive: true, mode: 0o700 });
  // By the clock of the file system, which may be a remote one.
  const { mtimeMs: now } = await stat(root);
  for (const name of left) {
    const info = await statIfExists(join(root, name));
    const isOld = info !== undefined && now - info.mtimeMs > keptMs;
    if (isOld || mine.includes(name)) await rm(join(root, name), { recursive: true, force: true });
  }
  return own;
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
}

async function factsOf({ plan, page, encoding, source }: ProbedRender, features?: string): Promise<Inputs['facts']> {
  const { output: _, variables, composition, ...options } = plan;
  const { graphics, displayRate, card } = page.launched;
  const texts = [...source.graph.files].map(([path, { text }]) => [path, text]);
  return {
    'the composition': hash([composition, texts]),
    'the values': hash(variables),
    'the options': hash([options, features]),
    'the browser or FFmpeg': hash([encoding.encoder, source.engine, graphics, displayRate, card]),
    'this program': await programVersion(),
  };
}

/** The names of bundles contain hashes of their content. */
async function programVersion(): Promise<string> {
  const folder = dirname(fileURLToPath(import.meta.url));
  const names = (await readdir(folder)).sort();
  return hash(await Promise.all(names.map(async (name) => [name, fileVersion(await stat(join(folder, name)))])));
}

const inputsFile = 'inputs.json';

async function readInputs(folder: string): Promise<Inputs | undefined> {
  // Without the file, there is no render to continue.
  const text = await readFile(join(folder, inputsFile), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** More are not listed. */
const shownChanges = 3;

async function changesSince({ facts, files }: Inputs, now: Inputs['facts'], root: string): Promise<string[]> {
  const changed = Object.keys(now).filter((name) => now[name] !== facts[name]);
  const realRoot = await realpath(root);
  for (const [path, version] of files) {
    if (changed.length >= shownChanges) break;
    // A file that can no longer be read has changed.
    const found = await servedFile(realRoot, path).catch(() => null);
    if ((found?.version ?? null) !== version) changed.push(path);
  }
  return changed;
}

/** `kept` in a folder that also has the inputs of the segments, and that is removed at the end. */
function withInputs(
  kept: KeptSegments,
  folder: string,
  facts: Inputs['facts'],
  { plan, page }: ProbedRender,
): KeptSegments {
  let last: Promise<void> = Promise.resolve();
  const writeInputs = async (): Promise<void> => {
    const reads = page.services.server.reads.list();
    // A file that has changed while it was read equals no version.
    const inputs: Inputs = { facts, files: reads.map(({ path, version = 'changed' }) => [path, version]) };
    await writeFile(join(folder, 'inputs.new'), JSON.stringify(inputs));
    await rename(join(folder, 'inputs.new'), join(folder, inputsFile));
  };
  return {
    ...kept,
    async keep(path, index, file) {
      // It is always captured again.
      if (index === plan.chunks.length - 1) return;
      // One after another: what was read later must not be overwritten. An earlier failure was thrown to its own segment.
      last = last.catch(() => undefined).then(writeInputs);
      await last;
      await kept.keep(path, index, file);
    },
    async drop(index) {
      const end = `-${String(index).padStart(5, '0')}.`;
      for (const name of await readdir(folder)) if (name.includes(end)) await rm(join(folder, name), { force: true });
    },
    async close(isComplete) {
      const names = await readdir(folder);
      // A segment may still be on its way into the folder.
      if (isComplete || names.every((name) => name.startsWith('inputs.')))
        await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** Says how many segments are used again. */
const reportFound =
  ({ find }: KeptSegments, { plan }: ProbedRender, emit: ProgressReporter['emit']): KeptSegments['find'] =>
  async (path) => {
    const files = await find(path);
    const message = `Continues from ${files.size} of ${plan.chunks.length} segments`;
    if (files.size > 0) emit({ type: 'stage', stage: 'capture', message });
    return files;
  };
