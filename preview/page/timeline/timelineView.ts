// The timeline: a ruler, one lane per track with its clips, and the playhead.
import type { FrameRate } from '../../../renderer-core/model/frameGrid.ts';
import type { ClipChange, PreviewState } from '../../messages.ts';
import { element } from '../element.ts';
import { rulerStep, timeText } from '../frames.ts';
import { icons } from '../icons.ts';
import { text, whenTexts } from '../texts.ts';
import { ClipDragView, placeText } from './clipDragView.ts';
import { ClipEdits } from './clipEdits.ts';
import { type ClipTimeline, changeWithKey, dragWithPointer, partAt } from './clipPointer.ts';
import { type ClipFact, hostIndexes, type Lane, type LaneClip, layOut } from './lanes.ts';

export type TimelineEvents = {
  /** `time` is in seconds. Called repeatedly while the pointer is down. */
  onSeek(time: number): void;
  /** A clip was clicked. `reveal`: show its source. */
  onClip(index: number, reveal: boolean): void;
  onKey(event: KeyboardEvent): void;
  /** A clip was moved or trimmed. Call `edited` with the result. */
  onEdit(clip: ClipFact, change: ClipChange): void;
};

export class TimelineView {
  readonly root: HTMLElement;
  private readonly ruler = element('div', { class: 'ruler', role: 'slider', tabindex: '0', 'aria-valuemin': '0' });
  private readonly lanes = element('div', { class: 'lanes', role: 'list' });
  private readonly range = element('div', { class: 'range', 'aria-hidden': 'true' });
  private readonly playhead = element('div', { class: 'playhead', 'aria-hidden': 'true' });
  private readonly area = element('div', { class: 'area' }, this.ruler, this.lanes, this.range, this.playhead);
  private readonly events: TimelineEvents;
  private clips: readonly ClipFact[] = [];
  private duration = 1;
  private selected: number | undefined;
  private last: PreviewState | undefined;
  private rate: FrameRate = { num: 30, den: 1 };
  private isEditable = false;
  private readonly dragView = new ClipDragView(this.area, (time) => this.percent(time));
  private readonly edits: ClipEdits;
  /** The keys of expanded clips. */
  private readonly expanded = new Set<string>();

  constructor(events: TimelineEvents) {
    this.events = events;
    this.edits = new ClipEdits({
      send: events.onEdit,
      show: (clips) => this.showClips(clips),
      onReason: (index, reason) => this.dragView.showReason(this.clipElementOf(index) ?? this.root, reason),
    });
    this.root = element('section', { class: 'timeline' }, this.area);
    new ResizeObserver(() => this.drawRuler()).observe(this.area);
    whenTexts(() => {
      this.root.setAttribute('aria-label', text('timeline'));
      this.ruler.setAttribute('aria-label', text('playhead'));
      this.lanes.setAttribute('aria-label', text('tracks'));
    });
    this.ruler.addEventListener('keydown', events.onKey);
    this.seekWithPointer();
    this.showTimeUnderPointer();
  }

  setClips(clips: readonly ClipFact[], duration: number, rate: FrameRate): void {
    this.duration = Math.max(1e-3, duration);
    this.rate = rate;
    this.edits.loaded(clips);
    if (this.last) this.show(this.last);
  }

  /** Clips can be moved and trimmed from now on. */
  setEditable(): void {
    this.isEditable = true;
    this.draw();
  }

  /** The result of an edit; `reason` is why the text has not changed. */
  edited(reason: string | null): void {
    this.edits.edited(reason);
  }

  private showClips(clips: readonly ClipFact[]): void {
    this.clips = clips;
    this.draw();
  }

  show(state: PreviewState): void {
    this.last = state;
    this.playhead.style.left = this.percent(state.time);
    const [inTime, outTime] = [state.inFrame / state.fps, state.outFrame / state.fps];
    this.range.hidden = state.inFrame === 0 && state.outFrame === state.frames;
    this.range.style.left = this.percent(inTime);
    this.range.style.width = this.percent(outTime - inTime);
    this.ruler.setAttribute('aria-valuemax', this.duration.toFixed(2));
    this.ruler.setAttribute('aria-valuenow', state.time.toFixed(2));
    this.ruler.setAttribute('aria-valuetext', `${timeText(state.time)}, ${text('frame')} ${state.frame}`);
  }

  /** Marks the clip at the caret. */
  select(index: number | undefined): void {
    this.selected = index;
    for (const clip of this.lanes.querySelectorAll<HTMLElement>('.clip')) {
      const isSelected = Number(clip.dataset.index) === index;
      clip.classList.toggle('selected', isSelected);
      if (isSelected) clip.setAttribute('aria-current', 'true');
      else clip.removeAttribute('aria-current');
    }
  }

  /** Identifies a clip by its properties, because indexes change with every edit. */
  private keyOf(index: number): string {
    const { label, kind, parent } = this.clips[index] ?? {};
    return `${label} ${kind} ${parent}`;
  }

  private percent(time: number): string {
    return `${(100 * Math.min(1, Math.max(0, time / this.duration))).toFixed(4)}%`;
  }

  private timeAt({ clientX }: PointerEvent): number {
    const { left, width } = this.area.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width))) * this.duration;
  }

  private draw(): void {
    const hosts = hostIndexes(this.clips);
    const lanes = layOut(this.clips, this.duration, (index) => this.expanded.has(this.keyOf(index)));
    const focused = (document.activeElement as HTMLElement | null)?.dataset.index;
    this.lanes.replaceChildren(...lanes.map((lane) => this.laneElement(lane, hosts)));
    if (this.isEditable && lanes.length > 0) {
      const free = { class: 'lane new', 'data-track': 'new', 'aria-hidden': 'true' };
      this.lanes.append(element('div', free, text('newTrack')));
    }
    // An edit must not end the use of the keyboard.
    if (focused !== undefined) this.clipElementOf(Number(focused))?.focus({ preventScroll: true });
    this.drawRuler();
  }

  private laneElement({ depth, host, track, clips }: Lane, hosts: ReadonlySet<number>): HTMLElement {
    const row = element('div', { class: 'lane', role: 'listitem' });
    row.style.setProperty('--depth', String(depth));
    if (host !== null) row.dataset.host = String(host);
    if (track !== null) row.dataset.track = String(track);
    row.append(...clips.map((clip) => this.clipElement(clip, hosts.has(clip.index))));
    return row;
  }

  private clipElementOf(index: number): HTMLElement | null {
    return this.lanes.querySelector<HTMLElement>(`[data-index="${index}"]`);
  }

  private drawRuler(): void {
    const step = rulerStep(this.duration, this.area.clientWidth);
    const marks: HTMLElement[] = [];
    for (let at = 0; at < this.duration - step / 3; at += step) {
      const mark = element('span', { class: 'mark' }, step < 1 ? at.toFixed(1) : timeText(at).replace(/\.00$/, ''));
      mark.style.left = this.percent(at);
      marks.push(mark);
    }
    this.ruler.replaceChildren(...marks);
  }

  private clipElement({ index, label, kind, start, end }: LaneClip, isHost: boolean): HTMLElement {
    const clip = element('button', { type: 'button', class: `clip ${kind}`, 'data-index': String(index) });
    clip.style.left = this.percent(start);
    clip.style.width = `calc(${this.percent(end - start)} - 1px)`;
    clip.setAttribute('aria-label', `${label}, ${timeText(start)} – ${timeText(end)}`);
    clip.title = `${label}  ${timeText(start)} – ${timeText(end)}`;
    clip.classList.toggle('selected', index === this.selected);
    if (isHost) this.addToggle(clip, index);
    clip.append(element('span', { class: 'name' }, label));
    clip.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.events.onClip(index, true);
      else if (this.isEditable && changeWithKey(event, clip, this.editing, this.dragView)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    if (this.isEditable) {
      clip.setAttribute('aria-keyshortcuts', 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown [ ]');
      clip.addEventListener('pointermove', ({ clientX }) => {
        clip.style.cursor = partAt(clip, clientX) === 'clip' ? 'grab' : 'ew-resize';
      });
    }
    return clip;
  }

  /** Adds the arrow that expands and collapses a clip with nested clips. */
  private addToggle(clip: HTMLElement, index: number): void {
    const isExpanded = this.expanded.has(this.keyOf(index));
    const arrow = element('span', {
      class: isExpanded ? 'toggle open' : 'toggle',
      title: text(isExpanded ? 'collapse' : 'expand'),
    });
    arrow.innerHTML = icons.open;
    const toggle = (event: Event) => {
      event.stopPropagation();
      if (!this.expanded.delete(this.keyOf(index))) this.expanded.add(this.keyOf(index));
      this.draw();
      this.clipElementOf(index)?.focus();
    };
    arrow.addEventListener('pointerdown', toggle);
    clip.setAttribute('aria-expanded', String(isExpanded));
    clip.addEventListener('keydown', (event) => {
      if (event.altKey) return;
      if ((event.key === 'ArrowRight' && !isExpanded) || (event.key === 'ArrowLeft' && isExpanded)) {
        toggle(event);
        event.preventDefault();
      }
    });
    clip.append(arrow);
  }

  private seekWithPointer(): void {
    const { area, events } = this;
    area.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      const clip = (event.target as Element).closest<HTMLElement>('.clip');
      if (clip && this.isEditable) {
        dragWithPointer(event, clip, this.editing, this.dragView, (up) => {
          events.onSeek(this.timeAt(up));
          this.reportClick(up, false);
        });
        return;
      }
      events.onSeek(this.timeAt(event));
      const move = (next: PointerEvent) => events.onSeek(this.timeAt(next));
      area.setPointerCapture(event.pointerId);
      area.addEventListener('pointermove', move);
      const end = (up: PointerEvent) => {
        area.removeEventListener('pointermove', move);
        this.reportClick(up, false);
      };
      area.addEventListener('pointerup', end, { once: true });
      area.addEventListener('pointercancel', () => area.removeEventListener('pointermove', move), { once: true });
    });
    area.addEventListener('dblclick', (event) => this.reportClick(event, true));
  }

  /** The area captures the pointer, so the clip is the element under the pointer, not the event's target. */
  private reportClick({ clientX, clientY }: MouseEvent, reveal: boolean): void {
    const clip = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.clip');
    if (clip) this.events.onClip(Number(clip.dataset.index), reveal);
  }

  /** The timeline as the pointer and the keys that edit clips see it. */
  private readonly editing: ClipTimeline = {
    clips: () => this.clips,
    elementOf: (index) => this.clipElementOf(index),
    settings: () => ({ duration: this.duration, playhead: this.last?.time ?? 0, rate: this.rate }),
    secondsPerPixel: () => this.duration / Math.max(1, this.area.clientWidth),
    laneAt: (y, parent) => {
      const host = parent === null ? ':not([data-host])' : `[data-host="${parent}"]`;
      const rows = [...this.lanes.querySelectorAll<HTMLElement>(`.lane${host}`)];
      const at = rows.find((row) => y < row.getBoundingClientRect().bottom) ?? rows.at(-1);
      return at && y >= at.getBoundingClientRect().top ? at : undefined;
    },
    edit: (index, target) => {
      const before = this.clips[index];
      this.edits.edit(index, target);
      const clip = this.clipElementOf(index);
      if (clip && before) this.dragView.showTimes(clip, placeText(target, before));
      if (clip) this.events.onClip(index, false);
    },
  };

  private showTimeUnderPointer(): void {
    const label = element('span');
    const hover = element('div', { class: 'hover', 'aria-hidden': 'true' }, label);
    this.area.append(hover);
    this.area.addEventListener('pointermove', (event) => {
      hover.style.left = this.percent(this.timeAt(event));
      label.textContent = timeText(this.timeAt(event));
    });
  }
}
