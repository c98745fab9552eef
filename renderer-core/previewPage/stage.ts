// The stage: the composition at its own size, shown as large as wanted, with guides and outlines over it.
import { element } from './dom.ts';
import { text, whenTexts } from './texts.ts';

/** Where in the composition something is, in its pixels. */
export type Box = { left: number; top: number; width: number; height: number };

export const guideNames = ['none', 'safe', '9:16', '1:1', '4:5'] as const;
export type Guide = (typeof guideNames)[number];

export type Stage = {
  root: HTMLElement;
  /** Where frames are put. */
  screens: HTMLElement;
  setSize(width: number, height: number): void;
  /** `fit`, or pixels of the screen for one of the composition. */
  setZoom(zoom: number | 'fit'): void;
  zoom(): number | 'fit';
  /** One step in or out. */
  stepZoom(direction: 1 | -1): void;
  setGuide(guide: Guide): void;
  setGrid(on: boolean): void;
  /** Boxes that are outlined; `label` stands above the first. */
  outline(boxes: readonly Box[], label: string): void;
  /** The point of the composition under a pointer; undefined outside of it. */
  pointAt(event: { clientX: number; clientY: number }): { x: number; y: number } | undefined;
};

const zooms = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8];
const margin = 12;

export function createStage(onZoom: () => void): Stage {
  const screens = element('div', { class: 'screens' });
  const guides = element('div', { class: 'guides', 'aria-hidden': 'true' });
  const outlines = element('div', { class: 'outlines', 'aria-hidden': 'true' });
  const sheet = element('div', { class: 'sheet' }, screens, guides, outlines);
  const root = element('div', { class: 'stage', role: 'img', tabindex: '0' }, sheet);
  whenTexts(() => root.setAttribute('aria-label', text('stage')));
  let [width, height] = [1, 1];
  let zoom: number | 'fit' = 'fit';
  let pan = { x: 0, y: 0 };
  let scale = 1;

  const place = () => {
    const { clientWidth, clientHeight } = root;
    const fitting = Math.min((clientWidth - 2 * margin) / width, (clientHeight - 2 * margin) / height);
    scale = zoom === 'fit' ? Math.max(0.02, Math.min(8, fitting)) : zoom;
    // Whole pixels: at 100 % every pixel is one of the composition's.
    const at = (room: number, size: number, shift: number) => Math.round((room - size * scale) / 2 + shift);
    const left = at(clientWidth, width, zoom === 'fit' ? 0 : pan.x);
    const top = at(clientHeight, height, zoom === 'fit' ? 0 : pan.y);
    Object.assign(sheet.style, {
      width: `${width}px`,
      height: `${height}px`,
      transform: scale === 1 ? 'none' : `scale(${scale})`,
      left: `${left}px`,
      top: `${top}px`,
    });
    sheet.style.setProperty('--hair', `${1 / scale}px`);
  };
  new ResizeObserver(place).observe(root);

  const setZoom = (next: number | 'fit') => {
    if (next === 'fit') pan = { x: 0, y: 0 };
    zoom = next;
    place();
    onZoom();
  };
  const stepZoom = (direction: 1 | -1) => {
    const steps = direction === 1 ? zooms : [...zooms].reverse();
    setZoom(steps.find((step) => (step - scale) * direction > 1e-3) ?? scale);
  };
  root.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        setZoom(Math.min(8, Math.max(0.05, scale * Math.exp(-event.deltaY / 300))));
      } else if (zoom !== 'fit') {
        pan = { x: pan.x - event.deltaX, y: pan.y - event.deltaY };
        place();
      }
    },
    { passive: false },
  );
  root.addEventListener('pointerdown', (event) => {
    const isPan = event.button === 1 || (event.button === 0 && zoom !== 'fit' && !event.altKey);
    if (!isPan || root.classList.contains('picking')) return;
    root.setPointerCapture(event.pointerId);
    const from = { x: event.clientX - pan.x, y: event.clientY - pan.y };
    const move = (next: PointerEvent) => {
      if (zoom === 'fit') return;
      pan = { x: next.clientX - from.x, y: next.clientY - from.y };
      place();
    };
    root.addEventListener('pointermove', move);
    root.addEventListener('pointerup', () => root.removeEventListener('pointermove', move), { once: true });
  });

  return {
    root,
    screens,
    setSize(nextWidth, nextHeight) {
      if (width === nextWidth && height === nextHeight) return;
      [width, height] = [nextWidth, nextHeight];
      place();
    },
    setZoom,
    zoom: () => zoom,
    stepZoom,
    setGuide(guide) {
      const ratio = /^(\d+):(\d+)$/.exec(guide);
      const boxes = ratio ? [ratioBox(width, height, Number(ratio[1]) / Number(ratio[2]))] : [];
      if (guide === 'safe') boxes.push(inset(width, height, 0.9), inset(width, height, 0.8));
      guides.replaceChildren(...boxes.map((box) => boxElement(box, ratio ? 'crop' : 'safe')));
    },
    setGrid: (on) => void root.classList.toggle('grid', on),
    outline(boxes, label) {
      const made = boxes.map((box) => boxElement(box, 'outline'));
      if (label !== '') made[0]?.append(element('span', {}, label));
      outlines.replaceChildren(...made);
    },
    pointAt({ clientX, clientY }) {
      const { left, top } = sheet.getBoundingClientRect();
      const [x, y] = [(clientX - left) / scale, (clientY - top) / scale];
      return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : undefined;
    },
  };
}

function boxElement({ left, top, width, height }: Box, name: string): HTMLElement {
  const box = element('div', { class: name });
  Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  return box;
}

const inset = (width: number, height: number, share: number): Box => ({
  left: (width * (1 - share)) / 2,
  top: (height * (1 - share)) / 2,
  width: width * share,
  height: height * share,
});

/** The largest part in the middle with these proportions. */
function ratioBox(width: number, height: number, ratio: number): Box {
  const wide = Math.min(width, height * ratio);
  const high = Math.min(height, width / ratio);
  return { left: (width - wide) / 2, top: (height - high) / 2, width: wide, height: high };
}
