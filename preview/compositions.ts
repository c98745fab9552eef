// The compositions that pages show: reads them again when files change, and informs the pages that wait for a change.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { PageFonts } from '../renderer-core/plan/fonts/pageFonts.ts';
import type { ValuesSource } from '../renderer-core/plan/valueProblems.ts';
import type { ProjectServer } from '../renderer-core/project/serve/projectServer.ts';
import type { FromProcess, PreviewProblem } from './messages.ts';
import { type Overlay, projectPath } from './overlay.ts';
import { versionedScript } from './scriptVersion.ts';
import { type AssembledPreview, type PageOptions, readPreview, type ShownValues } from './shownComposition.ts';

export type Shown = ShownValues & {
  /** Several views show one composition with different values. Empty: the preview of the editor. */
  view: string;
  /** Increases with every change of what follows. */
  turn: number;
  /** Increases with every change of the page. */
  version: number;
  page: AssembledPreview | undefined;
  problems: PreviewProblem[];
  /** Resolves the status requests that are waiting for a change. */
  waiting: (() => void)[];
};

/** Status requests end after this time, because forwarded connections may be closed after a minute without data. */
const maxWaitMs = 25_000;

export type Project = {
  root: string;
  files: Overlay;
  server: ProjectServer;
  systemFonts: boolean;
  fontsProblem?: PreviewProblem;
  /** A problem with the words of the editor, if it shows the preview. */
  worded(problem: PreviewProblem): PreviewProblem;
};

/** `source`: where the values were read from. */
export type ShowOptions = { source?: ValuesSource | undefined; view?: string };

const keyOf = (composition: string, view: string, size = ''): string => `${size}\n${view}\n${composition}`;
const keyIn = (composition: string, query: URLSearchParams): string =>
  keyOf(composition, query.get('view') ?? '', query.get('size') ?? '');

export class Compositions {
  private readonly project: Project;
  private readonly notify: (message: FromProcess) => void;
  private readonly hasChanged: (path: string, isText: boolean) => boolean;
  /** By `keyOf`. */
  private readonly shown = new Map<string, Shown>();
  private readonly onOtherChange: () => void;
  private options: PageOptions = {};
  private turns = 0;

  /** `onOtherChange` is called when a file other than HTML has changed, before pages are informed. */
  constructor(project: Project, notify: (message: FromProcess) => void, onOtherChange: () => void) {
    this.project = project;
    this.notify = notify;
    this.onOtherChange = onOtherChange;
    this.hasChanged = createChangeDetector(project.root, project.files);
  }

  has(composition: string): boolean {
    return [...this.shown.values()].some((one) => one.composition === composition);
  }

  /** The composition of a request. Opens it if no page has shown it before. */
  of(query: URLSearchParams): Shown {
    const composition = projectPath(query.get('composition')) ?? 'index.html';
    const view = query.get('view') ?? '';
    const usual =
      this.shown.get(keyOf(composition, view)) ??
      this.open({ composition, view, size: '', values: {}, source: undefined });
    const size = query.get('size') ?? '';
    const { values, source } = usual;
    return this.shown.get(keyIn(composition, query)) ?? this.open({ composition, view, size, values, source });
  }

  /** Shows a composition with values that override its defaults. */
  show(composition: string, values: Record<string, unknown>, { source, view = '' }: ShowOptions = {}): void {
    const all = this.ofView(composition, view);
    if (all.length === 0) this.open({ composition, view, size: '', values, source });
    for (const one of all) {
      one.values = values;
      one.source = source;
      this.read(one, false);
    }
  }

  /** Stops reading a view at every change. */
  hide(composition: string, view: string): void {
    for (const one of this.ofView(composition, view)) {
      this.shown.delete(keyOf(composition, view, one.size));
      this.inform(one);
    }
  }

  /** A view in all sizes in which pages show it. */
  private ofView(composition: string, view: string): Shown[] {
    return [...this.shown.values()].filter((one) => one.composition === composition && one.view === view);
  }

  /** The size of the video and the settings of the page, for all compositions. */
  setOptions(options: PageOptions): void {
    this.options = options;
    for (const one of this.shown.values()) this.read(one, false);
  }

  /** The fonts of the page whose URLs have `version` as their query. */
  fontsOf(version: string): PageFonts | undefined {
    for (const { page } of this.shown.values()) if (page?.fonts?.version === version) return page.fonts.fonts;
    return undefined;
  }

  /** Call when a file has changed. `isText`: an editor has sent its text. */
  fileChanged(path: string, isText: boolean): void {
    const isOther = !/\.html?$/i.test(path);
    if (isOther && !this.hasChanged(path, isText)) return;
    if (isOther) this.onOtherChange();
    for (const one of this.shown.values()) this.read(one, isOther);
  }

  /** Ends the requests that are waiting for a change. */
  close(): void {
    for (const one of this.shown.values()) this.inform(one);
  }

  private open(shown: ShownValues & { view: string }): Shown {
    const { server } = this.project;
    const { composition } = shown;
    const one: Shown = { ...shown, turn: 0, version: 0, page: undefined, problems: [], waiting: [] };
    this.shown.set(keyOf(composition, shown.view, shown.size), one);
    server.setVirtual(`/${composition}`, async (query) => {
      // Forget the missing files of earlier pages.
      server.missing.length = 0;
      const { page, version } = this.shown.get(keyIn(composition, query)) ?? one;
      return { body: page?.html(version) ?? '<!doctype html>', type: 'text/html; charset=utf-8' };
    });
    this.read(one, false);
    return one;
  }

  /** Turns of all views count on: a page asks for the view that was forgotten with the turn that it knows. */
  private inform(one: Shown): void {
    one.turn = ++this.turns;
    for (const respond of one.waiting.splice(0)) respond();
  }

  /** Reads a composition again. Its pages reload only if the result has changed, or if `isOther`: another file has. */
  private read(one: Shown, isOther: boolean): void {
    const { root, files, server, systemFonts, fontsProblem, worded } = this.project;
    const { composition } = one;
    const isOfEditor = one.view === '' && one.size === '';
    const { page, problems: own } = readPreview(root, one, files, { ...this.options, systemFonts });
    const problems = [...own, ...(fontsProblem ? [fontsProblem] : [])].map(worded);
    const areSame = JSON.stringify(problems) === JSON.stringify(one.problems);
    one.problems = problems;
    if (page && (isOther || page.content !== one.page?.content)) {
      one.version++;
      one.page = page;
      if (page.project.files.encodings) server.setEncodings(page.project.files.encodings);
      for (const [path, body] of page.scripts) server.setVirtual(path, versionedScript(body));
      if (isOfEditor) this.notify({ type: 'ready', composition });
    } else if (areSame && one.turn > 0) return;
    if (!areSame && isOfEditor) this.notify({ type: 'problems', composition, problems });
    this.inform(one);
  }
}

/**
 * Returns a function that reports whether a file has changed since the last call with its path; true for the first call.
 * Editors report one save several times, and also unsaved text that is saved later.
 */
function createChangeDetector(root: string, files: Overlay): (path: string, isText: boolean) => boolean {
  const states = new Map<string, string>();
  /** Files that an editor has sent. They are compared by content; other files may be large and are compared by stats. */
  const texts = new Set<string>();
  return (path, isText) => {
    if (isText) texts.add(path);
    const state = texts.has(path) ? contentOf(files.read(path)) : statOf(join(root, path));
    const isChanged = states.get(path) !== state;
    states.set(path, state);
    return isChanged;
  };
}

const contentOf = (text = ''): string => createHash('sha256').update(text).digest('base64');

function statOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size}` : 'none';
}

/** Resolves when the composition has changed, or after `maxWaitMs`. */
export function nextChange(one: Shown, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const respond = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', respond);
      one.waiting = one.waiting.filter((other) => other !== respond);
      resolve();
    };
    const timer = setTimeout(respond, maxWaitMs);
    signal.addEventListener('abort', respond, { once: true });
    one.waiting.push(respond);
  });
}
