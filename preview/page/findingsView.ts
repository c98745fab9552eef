// What a check has found: a list over the stage, and boxes in the frames that show it.
import type { FoundByCheck, PreviewFinding, PreviewState } from '../messages.ts';
import { element } from './element.ts';
import { timeText } from './frames.ts';
import type { Mark, Stage } from './stage.ts';
import { text, whenTexts } from './texts.ts';

/** A finding names one frame. What it is about is usually shown for longer. In seconds. */
const nearby = 0.5;
/** Between a box and what it is about, in pixels of the composition. */
const room = 6;

export type FindingsView = {
  root: HTMLElement;
  /** Replaces the findings. */
  set(found: FoundByCheck): void;
  /** The frame that is shown now. */
  show(state: PreviewState): void;
};

export function createFindingsView(stage: Pick<Stage, 'mark'>, onSeek: (time: number) => void): FindingsView {
  const title = element('button', { type: 'button', class: 'link' });
  const hide = element('button', { type: 'button', class: 'link' });
  const list = element('ul');
  // Not a live region, because the editor has announced the result of the check.
  const root = element('section', { class: 'findings' }, element('header', {}, title, hide), list);
  let found: FoundByCheck = { findings: [], width: null, height: null };
  let state: PreviewState | undefined;
  let drawn = '[]';
  const draw = (): void => {
    const marks = root.hidden || !state ? [] : marksAt(state, found);
    const json = JSON.stringify(marks);
    // The state changes with every played frame.
    if (json !== drawn) stage.mark(marks);
    drawn = json;
  };
  const open = (isOpen: boolean): void => {
    list.hidden = !isOpen;
    title.setAttribute('aria-expanded', String(isOpen));
  };
  const show = (): void => {
    const { length } = found.findings;
    title.textContent = length === 1 ? text('oneFinding') : text('findings', length);
    hide.textContent = text('hideProblems');
    list.replaceChildren(...found.findings.map((finding) => row(finding, onSeek)));
  };
  title.addEventListener('click', () => open(list.hidden === true));
  hide.addEventListener('click', () => {
    root.hidden = true;
    draw();
  });
  root.hidden = true;
  whenTexts(show);
  return {
    root,
    set(next) {
      found = next;
      root.hidden = next.findings.length === 0;
      open(false);
      show();
      draw();
    },
    show(next) {
      state = next;
      draw();
    },
  };
}

function row({ rule, severity, message, seconds }: PreviewFinding, onSeek: (time: number) => void): HTMLElement {
  const time = element('button', { type: 'button', class: 'link' }, timeText(seconds));
  time.addEventListener('click', () => onSeek(seconds));
  return element('li', { class: severity }, time, ' ', element('strong', {}, rule), ` ${message}`);
}

type Frame = Pick<PreviewState, 'time' | 'width' | 'height'>;

/** The boxes in a frame. Findings about the same place have one. None in another size than that of the check. */
export function marksAt({ time, width, height }: Frame, found: FoundByCheck): Mark[] {
  if ((found.width ?? width) !== width || (found.height ?? height) !== height) return [];
  const marks = new Map<string, Mark>();
  for (const { rule, severity, seconds, box } of found.findings) {
    if (!box || Math.abs(time - seconds) > nearby) continue;
    const [left, top] = [Math.max(0, Math.round(box.left - room)), Math.max(0, Math.round(box.top - room))];
    const right = Math.min(width, Math.round(box.left + box.width + room));
    const bottom = Math.min(height, Math.round(box.top + box.height + room));
    const key = `${left} ${top} ${right} ${bottom}`;
    const known = marks.get(key);
    if (known) known.label += `, ${rule}`;
    else marks.set(key, { left, top, width: right - left, height: bottom - top, label: rule, kind: severity });
  }
  return [...marks.values()];
}
