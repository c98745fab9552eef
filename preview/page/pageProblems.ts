// Converts errors of a composition's page to problems for the author, with file and line.
import { sourceFileOf, sourceLine } from '../../renderer-core/page/assemble/sourceFiles.ts';
import {
  assetErrorPrefix,
  type BrokenAsset,
  mediaErrorPrefix,
  timingErrorPrefix,
} from '../../renderer-core/page/runtime/page.ts';
import type { PageFacts } from '../facts.ts';
import type { PreviewLocation, PreviewProblem } from '../messages.ts';
import { composition, pathOf } from './link.ts';

/** The line shifts of the page that was loaded last. */
let shifts: PageFacts['shifts'] = [];

/** Reports exceptions, rejections and console.error of a page, and files of other hosts that cannot be loaded. */
export function watchPage(
  page: Window & typeof globalThis,
  facts: PageFacts,
  onProblem: (problem: PreviewProblem) => void,
): void {
  shifts = facts.shifts;
  page.addEventListener('error', (event) => {
    if (event instanceof page.ErrorEvent) {
      const place = positionAt(event.filename, event.lineno, event.colno) ?? locationInStack(stackOf(event.error));
      onProblem(scriptProblem(event.message, place));
    }
  });
  page.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof page.Element)) return;
      const url =
        (target as HTMLImageElement).currentSrc || (target as HTMLLinkElement).href || target.getAttribute('src');
      // The server reports missing files of the project.
      if (typeof url === 'string' && /^https?:/.test(url) && pathOf(url) === undefined)
        onProblem({ severity: 'error', message: `cannot load ${url}`, place: { file: composition } });
    },
    true,
  );
  page.addEventListener('unhandledrejection', ({ reason }) => {
    onProblem(scriptProblem(String(reason?.message ?? reason), locationInStack(stackOf(reason))));
  });
  const { error } = page.console;
  page.console.error = (...args: unknown[]) => {
    error.apply(page.console, args);
    const message = args.map(format).join(' ').slice(0, 500);
    const place = locationInStack(new page.Error().stack ?? '') ?? { file: composition };
    onProblem({ severity: 'warning', message: `console.error: ${message}`, place });
  };
}

/** Converts an error of a seek or of the page's start. */
export function problemOf(error: unknown): PreviewProblem {
  const message = String((error as Error | undefined)?.message ?? error);
  const place = { file: composition };
  const asset = new RegExp(`${assetErrorPrefix}(\\{.*\\})`).exec(message)?.[1];
  if (asset !== undefined) {
    const { kind, url, element } = JSON.parse(asset) as BrokenAsset;
    const path = pathOf(url) ?? url;
    const what = kind === 'image' ? 'an image' : 'a font';
    const text = `${path.slice(0, 200)} is not ${what} that the browser can decode (used by ${element})`;
    return { severity: 'error', message: text, place };
  }
  for (const prefix of [timingErrorPrefix, mediaErrorPrefix]) {
    const at = message.indexOf(prefix);
    if (at !== -1) return { severity: 'error', message: message.slice(at + prefix.length), place };
  }
  return { severity: 'error', message, place: locationInStack(stackOf(error)) ?? place };
}

function scriptProblem(message: string, place: PreviewLocation | undefined): PreviewProblem {
  const text = message.replace(/^Uncaught (?:\(in promise\) )?/, '');
  return {
    severity: 'error',
    message: `A script of the composition failed: ${text}`,
    place: place ?? { file: composition },
  };
}

const stackOf = (error: unknown): string => String((error as Error | undefined)?.stack ?? '');

const format = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
};

/** The source location of a position in a script; undefined for scripts of the framework and of other hosts. */
function positionAt(url: string, line: number, column: number): PreviewLocation | undefined {
  const below = pathOf(url);
  if (below === undefined) return undefined;
  const path = `/${below.replace(/[?#].*$/s, '')}`;
  if (path.startsWith('/__framework/') && !path.startsWith('/__framework/mounts/')) return undefined;
  const file = sourceFileOf(path);
  return {
    file,
    ...(line > 0 ? { line: sourceLine(path, line, composition, shifts), column: Math.max(1, column) } : {}),
  };
}

/** The first location in a stack that is in a project file. */
function locationInStack(stack: string): PreviewLocation | undefined {
  for (const [, url = '', line, column] of stack.matchAll(/(https?:\/\/[^\s)]+?):(\d+):(\d+)\)?$/gm)) {
    const place = positionAt(url, Number(line), Number(column));
    if (place) return place;
  }
  return undefined;
}
