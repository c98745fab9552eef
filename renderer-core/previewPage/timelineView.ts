// The timeline strip: a ruler, a lane for each track with its clips, and the playhead, all over the whole width.
import type { PreviewState } from '../preview/messages.ts';
import { element } from './dom.ts';
import { rulerStep, timeText } from './frames.ts';
import { icons } from './icons.ts';
import { type ClipFact, hasInside, type LaneClip, layOut } from './lanes.ts';
import { text, whenTexts } from './texts.ts';

export type TimelineView = {
  root: HTMLElement;
  setClips(clips: readonly ClipFact[], duration: number): void;
  show(state: PreviewState): void;
  /** The clip that the caret is in. */
  select(index: number | undefined): void;
};

export type TimelineEvents = {
  /** Seconds; again and again while the pointer is down. */
  onSeek(time: number): void;
  /** `reveal`: it was asked for where the clip is written. */
  onClip(index: number, reveal: boolean): void;
  onKey(event: KeyboardEvent): void;
};

export function createTimeline(events: TimelineEvents): TimelineView {
  const ruler = element('div', { class: 'ruler', role: 'slider', tabindex: '0', 'aria-valuemin': '0' });
  const lanes = element('div', { class: 'lanes', role: 'list' });
  const range = element('div', { class: 'range', 'aria-hidden': 'true' });
  const head = element('div', { class: 'playhead', 'aria-hidden': 'true' });
  const hover = element('div', { class: 'hover', 'aria-hidden': 'true' }, element('span'));
  const area = element('div', { class: 'area' }, ruler, lanes, range, head, hover);
  const root = element('section', { class: 'timeline' }, area);
  let clips: readonly ClipFact[] = [];
  let duration = 1;
  let selected: number | undefined;
  let last: PreviewState | undefined;
  const open = new Set<string>();
  /** By name: places in the list change with every edit. */
  const nameOf = (index: number) => `${clips[index]?.label} ${clips[index]?.kind} ${clips[index]?.parent}`;

  const share = (time: number) => `${(100 * Math.min(1, Math.max(0, time / duration))).toFixed(4)}%`;
  const timeAt = ({ clientX }: PointerEvent) => {
    const { left, width } = area.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width))) * duration;
  };

  const clipElement = ({ index, label, kind, start, end }: LaneClip, isHost: boolean): HTMLElement => {
    const isOpen = open.has(nameOf(index));
    const clip = element('button', { type: 'button', class: `clip ${kind}`, 'data-index': String(index) });
    clip.style.left = share(start);
    clip.style.width = `calc(${share(end - start)} - 1px)`;
    clip.setAttribute('aria-label', `${label}, ${timeText(start)} – ${timeText(end)}`);
    clip.title = `${label}  ${timeText(start)} – ${timeText(end)}`;
    clip.classList.toggle('selected', index === selected);
    if (isHost) {
      const toggle = element('span', {
        class: isOpen ? 'toggle open' : 'toggle',
        title: text(isOpen ? 'collapse' : 'expand'),
      });
      toggle.innerHTML = icons.open;
      const turn = (event: Event) => {
        event.stopPropagation();
        if (!open.delete(nameOf(index))) open.add(nameOf(index));
        draw();
        lanes.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
      };
      toggle.addEventListener('pointerdown', turn);
      clip.setAttribute('aria-expanded', String(isOpen));
      clip.addEventListener('keydown', (event) => {
        if ((event.key === 'ArrowRight' && !isOpen) || (event.key === 'ArrowLeft' && isOpen)) {
          turn(event);
          event.preventDefault();
        }
      });
      clip.append(toggle);
    }
    clip.append(element('span', { class: 'name' }, label));
    clip.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') events.onClip(index, true);
    });
    return clip;
  };

  const drawRuler = () => {
    const step = rulerStep(duration, area.clientWidth);
    const marks: HTMLElement[] = [];
    for (let at = 0; at < duration - step / 3; at += step) {
      const mark = element('span', { class: 'mark' }, step < 1 ? at.toFixed(1) : timeText(at).replace(/\.00$/, ''));
      mark.style.left = share(at);
      marks.push(mark);
    }
    ruler.replaceChildren(...marks);
  };
  const draw = () => {
    const hosts = hasInside(clips);
    lanes.replaceChildren(
      ...layOut(clips, duration, (index) => open.has(nameOf(index))).map((lane) => {
        const row = element('div', { class: 'lane', role: 'listitem' });
        row.style.setProperty('--depth', String(lane.depth));
        row.append(...lane.clips.map((clip) => clipElement(clip, hosts.has(clip.index))));
        return row;
      }),
    );
    drawRuler();
  };
  new ResizeObserver(drawRuler).observe(area);
  whenTexts(() => {
    root.setAttribute('aria-label', text('timeline'));
    ruler.setAttribute('aria-label', text('playhead'));
    lanes.setAttribute('aria-label', text('tracks'));
  });

  area.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    events.onSeek(timeAt(event));
    const move = (next: PointerEvent) => events.onSeek(timeAt(next));
    area.setPointerCapture(event.pointerId);
    area.addEventListener('pointermove', move);
    const end = () => area.removeEventListener('pointermove', move);
    area.addEventListener('pointerup', end, { once: true });
    area.addEventListener('pointercancel', end, { once: true });
  });
  // The pointer is held by the area: a click on a clip is one on what lies under it.
  area.addEventListener('pointerup', ({ clientX, clientY }) => {
    const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.clip');
    if (under) events.onClip(Number(under.dataset.index), false);
  });
  area.addEventListener('dblclick', ({ clientX, clientY }) => {
    const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.clip');
    if (under) events.onClip(Number(under.dataset.index), true);
  });
  area.addEventListener('pointermove', (event) => {
    hover.style.left = share(timeAt(event));
    const label = hover.firstElementChild;
    if (label) label.textContent = timeText(timeAt(event));
  });
  ruler.addEventListener('keydown', events.onKey);

  return {
    root,
    setClips(next, length) {
      clips = next;
      duration = Math.max(1e-3, length);
      draw();
      if (last) this.show(last);
    },
    show(state) {
      last = state;
      head.style.left = share(state.time);
      const [inTime, outTime] = [state.inFrame / state.fps, state.outFrame / state.fps];
      range.hidden = state.inFrame === 0 && state.outFrame === state.frames;
      range.style.left = share(inTime);
      range.style.width = share(outTime - inTime);
      ruler.setAttribute('aria-valuemax', duration.toFixed(2));
      ruler.setAttribute('aria-valuenow', state.time.toFixed(2));
      ruler.setAttribute('aria-valuetext', `${timeText(state.time)}, ${text('frame')} ${state.frame}`);
    },
    select(index) {
      selected = index;
      for (const clip of lanes.querySelectorAll<HTMLElement>('.clip')) {
        const isSelected = Number(clip.dataset.index) === index;
        clip.classList.toggle('selected', isSelected);
        if (isSelected) clip.setAttribute('aria-current', 'true');
        else clip.removeAttribute('aria-current');
      }
    },
  };
}
