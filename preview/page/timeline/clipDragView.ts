// What the timeline shows while a clip is dragged: the new place, the line it snaps to, its times, and reasons.

import { element } from '../element.ts';
import { timeText } from '../frames.ts';
import { text } from '../texts.ts';
import type { ClipPlace, Dragged } from './clipDrag.ts';

/** How long a message stays, in milliseconds. */
const [labelMs, reasonMs] = [1500, 6000];

export class ClipDragView {
  private readonly ghost = element('div', { class: 'clip ghost', 'aria-hidden': 'true' });
  private readonly line = element('div', { class: 'snap', 'aria-hidden': 'true' });
  private readonly label = element('div', { class: 'clip-label', role: 'status' });
  private readonly area: HTMLElement;
  private readonly percent: (time: number) => string;
  private clip: HTMLElement | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(area: HTMLElement, percent: (time: number) => string) {
    this.area = area;
    this.percent = percent;
    this.label.hidden = true;
    // The timeline would cut it off.
    document.body.append(this.label);
  }

  /** Shows a clip at another place. `lane`: the row that it would be in. */
  show(clip: HTMLElement, lane: HTMLElement, place: ClipPlace & Dragged, duration: number, what: string): void {
    // The page may have been loaded again meanwhile.
    this.clip?.classList.remove('moving');
    this.clip = clip;
    if (!this.ghost.isConnected) {
      this.ghost.className = `${clip.className} ghost`;
      this.ghost.textContent = clip.querySelector('.name')?.textContent ?? '';
      this.area.append(this.ghost, this.line);
      this.area.classList.add('dragging');
    }
    clip.classList.add('moving');
    const end = Math.min(duration, place.end ?? duration);
    this.ghost.style.left = this.percent(place.start);
    this.ghost.style.width = `calc(${this.percent(end - place.start)} - 1px)`;
    const [outside, row] = [this.area.getBoundingClientRect(), lane.getBoundingClientRect()];
    this.ghost.style.top = `${row.top - outside.top + 1}px`;
    this.line.hidden = place.snapped === null;
    if (place.snapped !== null) this.line.style.left = this.percent(place.snapped);
    this.showLabel(this.ghost, what, false);
  }

  hide(): void {
    this.clip?.classList.remove('moving');
    this.clip = undefined;
    this.ghost.remove();
    this.line.remove();
    this.area.classList.remove('dragging');
    this.label.hidden = true;
  }

  /** Shows for a short time where a clip is now. */
  showTimes(clip: HTMLElement, what: string): void {
    this.showLabel(clip, what, false);
    this.hideLater(labelMs);
  }

  /** Shows why a clip cannot change. */
  showReason(clip: Element, reason: string): void {
    this.showLabel(clip, reason, true);
    this.hideLater(reasonMs);
  }

  private hideLater(ms: number): void {
    this.timer = setTimeout(() => {
      this.label.hidden = true;
    }, ms);
  }

  /** Above an element, inside the window. */
  private showLabel(at: Element, content: string, isReason: boolean): void {
    clearTimeout(this.timer);
    const { label } = this;
    label.hidden = false;
    label.classList.toggle('reason', isReason);
    label.textContent = content;
    const { left, top } = at.getBoundingClientRect();
    label.style.left = `${Math.max(4, Math.min(left, innerWidth - label.offsetWidth - 4))}px`;
    label.style.top = `${Math.max(4, top - label.offsetHeight - 4)}px`;
  }
}

/** `0:01.00 – 0:03.50 (2.5 s)`, and the track if it is another one. */
export function placeText({ start, end, track }: ClipPlace, before: ClipPlace): string {
  const length = end === null ? '' : ` (${Math.round((end - start) * 100) / 100} s)`;
  const times = `${timeText(start)} – ${end === null ? '…' : timeText(end)}${length}`;
  return track === before.track || track === null ? times : `${times}, ${text('track', track)}`;
}
