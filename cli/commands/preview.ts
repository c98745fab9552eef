// `framework preview`: serves a live preview until it is cancelled. An editor that started it controls it over IPC.
import type { FromProcess, ToProcess } from '../../preview/messages.ts';
import { type Preview, startPreview } from '../../preview/preview.ts';
import { checkLocale } from '../../renderer-core/plan/options.ts';
import { checkSizeOptions } from '../../renderer-core/plan/resolution.ts';
import { resolveProject } from '../../renderer-core/project/findProject.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { readLocaleOptions } from '../options/localeOptions.ts';
import { readSizeOptions } from '../options/sizeOptions.ts';
import { readVariables } from '../options/variableOptions.ts';
import { colorsFor } from '../output/colors.ts';
import { aborted } from '../untilAborted.ts';
import { watchFolder } from '../watchFolder.ts';

/** Returns 0 when it is cancelled; throws UserError. */
export async function runPreview(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags, positionals } = input;
  const size = readSizeOptions(input);
  const locale = readLocaleOptions(input);
  checkSizeOptions(size);
  checkLocale(locale);
  const { variables = {}, variablesSource } = await readVariables(
    { inline: values.get('variables'), file: values.get('variables-file') },
    io.stdin,
  );
  const isEditor = process.connected === true;
  const { root, composition } = await locate(positionals[0] ?? '.', values.get('composition'), isEditor);
  const port = Number(values.get('port') ?? 0);
  const send = (message: FromProcess): void => {
    if (isEditor) process.send?.(message);
  };
  const preview = await startPreview({
    ...{ root, port, signal: io.signal, env: io.env, notify: send },
    systemFonts: flags.has('system-fonts'),
  });
  try {
    preview.setOptions({ ...size, ...locale });
    if (composition !== undefined) preview.show(composition, variables, { source: variablesSource });
    const url = composition === undefined ? preview.url : urlOf(preview.url, composition);
    if (isEditor) process.on('message', (message) => handleMessage(preview, message as ToProcess));
    // Without an editor, no other program reports changes.
    else watchFolder(root, preview.changed, io.signal);
    printUrl(url, { root, composition: composition ?? null }, flags.has('json'), io);
    if (!isEditor && !flags.has('no-open')) await openInBrowser(url);
    await aborted(io.signal);
  } finally {
    await preview.close();
  }
  return 0;
}

/** An editor may start without a composition and choose one later. */
async function locate(
  dir: string,
  composition: string | undefined,
  isEditor: boolean,
): Promise<{ root: string; composition: string | undefined }> {
  if (!isEditor || composition !== undefined || /\.html?$/i.test(dir)) return resolveProject(dir, composition);
  return { root: dir, composition: undefined };
}

const urlOf = (url: string, composition: string): string => `${url}?composition=${encodeURIComponent(composition)}`;

function handleMessage(preview: Preview, message: ToProcess): void {
  if (message.type === 'show')
    preview.show(message.composition, message.values, message.view === undefined ? {} : { view: message.view });
  else if (message.type === 'hide') preview.hide(message.composition, message.view);
  else if (message.type === 'size') preview.setOptions(message.size);
  else if (message.type === 'text') preview.text(message.path, message.text);
  else if (message.type === 'changed') preview.changed(message.path);
}

function printUrl(url: string, facts: { root: string; composition: string | null }, json: boolean, io: CliIo): void {
  if (json) {
    io.stdout.write(`${JSON.stringify({ url, ...facts })}\n`);
    return;
  }
  const colors = colorsFor(io.stdout, io.env);
  io.stdout.write(`Preview of ${facts.composition ?? facts.root}: ${colors.bold(url)}\nPress Ctrl+C to stop.\n`);
}

/** Without a browser on this machine, the printed address is enough. */
async function openInBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  await open(url).then(
    (child) => child.on('error', () => undefined),
    () => undefined,
  );
}
