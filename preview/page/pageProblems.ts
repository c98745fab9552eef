// What goes wrong in a composition's page while it is previewed, in the author's terms: message, file, line.
import { sourceFileOf } from '../plan/sourceFiles.ts';
import { lineBefore } from '../plan/textEdits.ts';
import type { PageFacts } from '../preview/facts.ts';
import type { PreviewPlace, PreviewProblem } from '../preview/messages.ts';
import { assetFault, type BrokenAsset, mediaFault, timingFault } from '../runtime/page.ts';
import { composition, pathOf } from './link.ts';

/** Of the page that was loaded last. */
let shifts: PageFacts['shifts'] = [];

/** Tells every exception, rejection and console.error of a page, and what of other hosts cannot be loaded. */
export function watchFaults(
  page: Window & typeof globalThis,
  facts: PageFacts,
  onFault: (problem: PreviewProblem) => void,
): void {
  shifts = facts.shifts;
  page.addEventListener('error', (event) => {
    if (event instanceof page.ErrorEvent) {
      const place = placeAt(event.filename, event.lineno, event.colno) ?? placeInStack(stackOf(event.error));
      onFault(scriptProblem(event.message, place));
    }
  });
  page.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof page.Element)) return;
      const url =
        (target as HTMLImageElement).currentSrc || (target as HTMLLinkElement).href || target.getAttribute('src');
      // The project's own files are looked for where they are served.
      if (typeof url === 'string' && /^https?:/.test(url) && pathOf(url) === undefined)
        onFault({ severity: 'error', message: `${url} could not be loaded`, place: { file: composition } });
    },
    true,
  );
  page.addEventListener('unhandledrejection', ({ reason }) => {
    onFault(scriptProblem(String(reason?.message ?? reason), placeInStack(stackOf(reason))));
  });
  const { error } = page.console;
  page.console.error = (...said: unknown[]) => {
    error.apply(page.console, said);
    const message = said.map(shown).join(' ').slice(0, 500);
    const place = placeInStack(new page.Error().stack ?? '') ?? { file: composition };
    onFault({ severity: 'warning', message: `console.error: ${message}`, place });
  };
}

/** What a seek or the start of the page was rejected with. */
export function problemOf(error: unknown): PreviewProblem {
  const message = String((error as Error | undefined)?.message ?? error);
  const place = { file: composition };
  const asset = new RegExp(`${assetFault}(\\{.*\\})`).exec(message)?.[1];
  if (asset !== undefined) {
    const { kind, url, element } = JSON.parse(asset) as BrokenAsset;
    const path = pathOf(url) ?? url;
    const what = kind === 'image' ? 'an image' : 'a font';
    const said = `${path.slice(0, 200)} is not ${what} that the browser can decode (${element} needs it)`;
    return { severity: 'error', message: said, place };
  }
  for (const prefix of [timingFault, mediaFault]) {
    const at = message.indexOf(prefix);
    if (at !== -1) return { severity: 'error', message: message.slice(at + prefix.length), place };
  }
  return { severity: 'error', message, place: placeInStack(stackOf(error)) ?? place };
}

function scriptProblem(message: string, place: PreviewPlace | undefined): PreviewProblem {
  const said = message.replace(/^Uncaught (?:\(in promise\) )?/, '');
  return {
    severity: 'error',
    message: `A script of the composition failed: ${said}`,
    place: place ?? { file: composition },
  };
}

const stackOf = (error: unknown): string => String((error as Error | undefined)?.stack ?? '');

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
};

/** The project's file behind a URL; undefined for scripts of ours and of other hosts. */
function placeAt(url: string, line: number, column: number): PreviewPlace | undefined {
  const below = pathOf(url);
  if (below === undefined) return undefined;
  const path = `/${below.replace(/[?#].*$/s, '')}`;
  if (path.startsWith('/__framework/') && !path.startsWith('/__framework/mounts/')) return undefined;
  const file = sourceFileOf(path);
  const own = file === composition ? lineBefore(line, shifts) : line;
  return { file, ...(line > 0 ? { line: own, column: Math.max(1, column) } : {}) };
}

/** The first of the author's lines in a stack. */
function placeInStack(stack: string): PreviewPlace | undefined {
  for (const [, url = '', line, column] of stack.matchAll(/(https?:\/\/[^\s)]+?):(\d+):(\d+)\)?$/gm)) {
    const place = placeAt(url, Number(line), Number(column));
    if (place) return place;
  }
  return undefined;
}
