// `framework preview`: serves a live preview until it is ended; an editor that started it talks to it over the channel.

import type { FromProcess, ToProcess } from '../preview/messages.ts';
import { type Preview, startPreview } from '../preview/preview.ts';
import { watchFolder } from '../preview/watchFolder.ts';
import { resolveProject } from '../project/paths.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { readVariables } from './variables.ts';

/** Throws UserError; the status is 0 when it was ended. */
export async function runPreview(input: CommandInput, io: CliIo): Promise<number> {
  const { values, switches, positionals } = input;
  const variables = await readVariables(
    { inline: values.get('variables'), file: values.get('variables-file') },
    io.stdin,
  );
  const isEditors = process.connected === true;
  const { root, composition } = await placeOf(positionals[0] ?? '.', values.get('composition'), isEditors);
  const port = Number(values.get('port') ?? 0);
  const say = (message: FromProcess): void => {
    if (isEditors) process.send?.(message);
  };
  const preview = await startPreview({ root, port, signal: io.signal, say });
  try {
    if (composition !== undefined) preview.show(composition, variables ?? {});
    const url = composition === undefined ? preview.url : addressOf(preview.url, composition);
    if (isEditors) process.on('message', (message) => follow(preview, message as ToProcess));
    else watchFolder(root, preview.changed, io.signal);
    present(url, { root, composition: composition ?? null }, switches.has('json'), io);
    if (!isEditors && !switches.has('no-open')) await openInBrowser(url);
    await aborted(io.signal);
  } finally {
    await preview.close();
  }
  return 0;
}

/** An editor may begin without a composition: it says later which one it shows. */
async function placeOf(
  dir: string,
  named: string | undefined,
  isEditors: boolean,
): Promise<{ root: string; composition: string | undefined }> {
  if (!isEditors || named !== undefined || /\.html?$/i.test(dir)) return resolveProject(dir, named);
  return { root: dir, composition: undefined };
}

const addressOf = (url: string, composition: string): string => `${url}?composition=${encodeURIComponent(composition)}`;

function follow(preview: Preview, message: ToProcess): void {
  if (message.type === 'show') preview.show(message.composition, message.values);
  else if (message.type === 'text') preview.text(message.path, message.text);
  else if (message.type === 'changed') preview.changed(message.path);
}

function present(url: string, facts: { root: string; composition: string | null }, json: boolean, io: CliIo): void {
  if (json) {
    io.stdout.write(`${JSON.stringify({ url, ...facts })}\n`);
    return;
  }
  const colors = colorsFor(io.stdout, io.env);
  io.stdout.write(`Preview of ${facts.composition ?? facts.root}: ${colors.bold(url)}\nCtrl+C ends it.\n`);
}

/** A machine without a browser has printed the address already. */
async function openInBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  await open(url).then(
    (child) => child.on('error', () => undefined),
    () => undefined,
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
