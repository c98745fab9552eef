// The stage: shows the composition scaled, with guides and outlines on top.
import type { VideoBox } from '../facts.ts';
import { element } from './element.ts';
import { text, whenTexts } from './texts.ts';

/** A box in pixels of the composition. */
export type Box = { left: number; top: number; width: number; height: number };

/** A box with a label below it. `kind`: the severity of what it marks. */
export type Mark = Box & { label: string; kind: string };

export const guideNames = ['none', 'safe', '9:16', '1:1', '4:5'] as const;
export type Guide = (typeof guideNames)[number];

const zooms = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8];
const margin = 12;

export class Stage {
  readonly root: HTMLElement;
  /** The parent of the composition's frames. */
  readonly screens = element('div', { class: 'screens' });
  private readonly guides = element('div', { class: 'guides', 'aria-hidden': 'true' });
  private readonly outlines = element('div', { class: 'outlines', 'aria-hidden': 'true' });
  private readonly marks = element('div', { class: 'outlines', 'aria-hidden': 'true' });
  /** Behind the composition, in a video with another aspect ratio. */
  private readonly bars = element('div', { class: 'bars', 'aria-hidden': 'true' });
  private readonly sheet = element(
    'div',
    { class: 'sheet' },
    this.bars,
    this.screens,
    this.guides,
    this.marks,
    this.outlines,
  );
  private readonly onZoom: () => void;
  /** The size of the composition, in its pixels. */
  private size = { width: 1, height: 1 };
  /** The box of the video around it. */
  private video: Box & { stretch: number } = { left: 0, top: 0, width: 1, height: 1, stretch: 1 };
  private guide: Guide = 'none';
  private wantedZoom: number | 'fit' = 'fit';
  private pan = { x: 0, y: 0 };
  /** Screen pixels per composition pixel. */
  private scale = 1;

  constructor(onZoom: () => void) {
    this.onZoom = onZoom;
    this.root = element('div', { class: 'stage', role: 'img', tabindex: '0' }, this.sheet);
    whenTexts(() => this.root.setAttribute('aria-label', text('stage')));
    new ResizeObserver(() => this.layOut()).observe(this.root);
    this.root.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    this.root.addEventListener('pointerdown', (event) => this.onPointerDown(event));
  }

  /** `video`: the box of the video around the composition; null: the composition fills it. */
  setSize(width: number, height: number, video: VideoBox | null): void {
    const { left, top, ...box } = video ?? { left: 0, top: 0, width, height, stretch: 1 };
    this.size = { width, height };
    this.video = { left, top, ...box };
    this.bars.hidden = video === null;
    for (const one of [this.bars, this.guides]) placeBox(one, this.video);
    const [right, bottom] = [width - left - box.width, height - top - box.height];
    const cut = [top, right, bottom, left].map((side) => `${Math.max(0, side)}px`);
    this.screens.style.clipPath = video ? `inset(${cut.join(' ')})` : '';
    this.setGuide(this.guide);
    this.layOut();
  }

  setBars(color: string): void {
    this.bars.style.background = color;
  }

  /** `fit`, or the number of screen pixels per composition pixel. */
  get zoom(): number | 'fit' {
    return this.wantedZoom;
  }

  setZoom(zoom: number | 'fit'): void {
    if (zoom === 'fit') this.pan = { x: 0, y: 0 };
    this.wantedZoom = zoom;
    this.layOut();
    this.onZoom();
  }

  /** One step in or out. */
  stepZoom(direction: 1 | -1): void {
    const steps = direction === 1 ? zooms : [...zooms].reverse();
    this.setZoom(steps.find((step) => (step - this.scale) * direction > 1e-3) ?? this.scale);
  }

  setGuide(guide: Guide): void {
    this.guide = guide;
    const { width, height, stretch } = this.video;
    const ratio = /^(\d+):(\d+)$/.exec(guide);
    const boxes = ratio ? [ratioBox(width, height, (stretch * Number(ratio[1])) / Number(ratio[2]))] : [];
    if (guide === 'safe') boxes.push(inset(width, height, 0.9), inset(width, height, 0.8));
    this.guides.replaceChildren(...boxes.map((box) => boxElement(box, ratio ? 'crop' : 'safe')));
  }

  setGrid(on: boolean): void {
    this.root.classList.toggle('grid', on);
  }

  /** While a text is edited, the composition gets the pointer. */
  setEditing(on: boolean): void {
    this.root.classList.toggle('editing', on);
  }

  /** Outlines boxes, with a label above the first one. */
  outline(boxes: readonly Box[], label: string): void {
    const elements = boxes.map((box) => boxElement(box, 'outline'));
    if (label !== '') elements[0]?.append(element('span', {}, label));
    this.outlines.replaceChildren(...elements);
  }

  /** Boxes with a label each. */
  mark(marks: readonly Mark[]): void {
    this.marks.replaceChildren(
      ...marks.map((mark) => {
        const made = boxElement(mark, `outline found ${mark.kind}`);
        made.append(element('span', {}, mark.label));
        // There may be no room below.
        made.classList.toggle('low', mark.top + mark.height > 0.9 * this.size.height);
        return made;
      }),
    );
  }

  /** The point of the composition under a pointer; undefined outside of it. */
  pointAt({ clientX, clientY }: { clientX: number; clientY: number }): { x: number; y: number } | undefined {
    const { left, top } = this.sheet.getBoundingClientRect();
    const [x, y] = [(clientX - left) / this.scale, (clientY - top) / (this.scale * this.video.stretch)];
    return x >= 0 && y >= 0 && x < this.size.width && y < this.size.height ? { x, y } : undefined;
  }

  private layOut(): void {
    const { clientWidth, clientHeight } = this.root;
    const { left, top, width, height, stretch } = this.video;
    const isFit = this.wantedZoom === 'fit';
    const fitting = Math.min((clientWidth - 2 * margin) / width, (clientHeight - 2 * margin) / (height * stretch));
    this.scale = this.wantedZoom === 'fit' ? Math.max(0.02, Math.min(8, fitting)) : this.wantedZoom;
    // Rounded, so that pixels are not blurred at 100 %.
    const at = (available: number, start: number, size: number, shift: number) =>
      Math.round((available - size * this.scale) / 2 - start * this.scale + shift);
    Object.assign(this.sheet.style, {
      width: `${this.size.width}px`,
      height: `${this.size.height}px`,
      transform: this.scale === 1 && stretch === 1 ? 'none' : `scale(${this.scale}, ${this.scale * stretch})`,
      left: `${at(clientWidth, left, width, isFit ? 0 : this.pan.x)}px`,
      top: `${at(clientHeight, top * stretch, height * stretch, isFit ? 0 : this.pan.y)}px`,
    });
    this.sheet.style.setProperty('--hair', `${1 / this.scale}px`);
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      this.setZoom(Math.min(8, Math.max(0.05, this.scale * Math.exp(-event.deltaY / 300))));
    } else if (this.wantedZoom !== 'fit') {
      this.pan = { x: this.pan.x - event.deltaX, y: this.pan.y - event.deltaY };
      this.layOut();
    }
  }

  private onPointerDown(event: PointerEvent): void {
    const { root } = this;
    const isPan = event.button === 1 || (event.button === 0 && this.wantedZoom !== 'fit' && !event.altKey);
    if (!isPan || root.classList.contains('picking')) return;
    root.setPointerCapture(event.pointerId);
    const from = { x: event.clientX - this.pan.x, y: event.clientY - this.pan.y };
    const move = (next: PointerEvent) => {
      if (this.wantedZoom === 'fit') return;
      this.pan = { x: next.clientX - from.x, y: next.clientY - from.y };
      this.layOut();
    };
    root.addEventListener('pointermove', move);
    root.addEventListener('pointerup', () => root.removeEventListener('pointermove', move), { once: true });
  }
}

function boxElement(box: Box, name: string): HTMLElement {
  const made = element('div', { class: name });
  placeBox(made, box);
  return made;
}

function placeBox({ style }: HTMLElement, { left, top, width, height }: Box): void {
  Object.assign(style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

const inset = (width: number, height: number, share: number): Box => ({
  left: (width * (1 - share)) / 2,
  top: (height * (1 - share)) / 2,
  width: width * share,
  height: height * share,
});

/** The largest centered box with an aspect ratio. */
function ratioBox(width: number, height: number, ratio: number): Box {
  const wide = Math.min(width, height * ratio);
  const high = Math.min(height, width / ratio);
  return { left: (width - wide) / 2, top: (height - high) / 2, width: wide, height: high };
}
