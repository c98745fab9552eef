// The script of the gallery: a search field and a grid of cards. A click or Enter chooses a card, Escape closes.
import type { FromGallery, ToGallery } from '../create/galleryMessages.ts';
import { element, setText } from './shared/webviewElement.ts';
import './gallery.css';

declare function acquireVsCodeApi(): { postMessage(message: FromGallery): void };

const editor = acquireVsCodeApi();
const heading = element('h1');
const target = element('p', { className: 'target' });
const search = element('input', { type: 'search' });
const grid = element('div', { className: 'grid' });
const none = element('p', { className: 'none', attributes: { role: 'status' } });
let noneText = '';
let cards: { card: HTMLButtonElement; words: string }[] = [];

function createCard({ name, title, description, detail, image }: ToGallery['cards'][number]): HTMLButtonElement {
  const card = element(
    'button',
    { type: 'button' },
    element('img', { src: image, alt: '', width: 480, height: 270 }),
    element('span', { className: 'title' }, title),
    element('span', { className: 'description' }, description),
    ...(detail === undefined ? [] : [element('span', { className: 'detail' }, detail)]),
  );
  card.addEventListener('click', () => editor.postMessage({ type: 'choose', name }));
  return card;
}

function show({ cards: shown, strings }: ToGallery): void {
  setText(heading, strings.title);
  setText(target, strings.target);
  search.placeholder = strings.search;
  search.setAttribute('aria-label', strings.search);
  noneText = strings.none;
  cards = shown.map((one) => ({ card: createCard(one), words: `${one.title} ${one.description}`.toLowerCase() }));
  grid.replaceChildren(...cards.map(({ card }) => card));
  search.focus();
}

const visible = (): HTMLButtonElement[] => cards.map(({ card }) => card).filter((card) => !card.hidden);

function filter(): void {
  const wanted = search.value.trim().toLowerCase();
  for (const { card, words } of cards) card.hidden = !words.includes(wanted);
  setText(none, visible().length === 0 ? noneText : '');
}

/** Arrow keys move through the cards as they are placed. */
function moveFocus(event: KeyboardEvent): void {
  const shown = visible();
  const index = shown.indexOf(document.activeElement as HTMLButtonElement);
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length;
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const step = steps[event.key];
  const isText = document.activeElement === search && event.key !== 'ArrowDown';
  if (step === undefined || isText) return;
  event.preventDefault();
  if (index < 0) shown[0]?.focus();
  else if (event.key === 'ArrowUp' && index < columns) search.focus();
  else shown[Math.min(shown.length - 1, Math.max(0, index + step))]?.focus();
}

search.addEventListener('input', filter);
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') visible()[0]?.click();
});
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') editor.postMessage({ type: 'close' });
  else moveFocus(event);
});
window.addEventListener('message', ({ data }: MessageEvent<ToGallery>) => {
  if (data.type === 'show') show(data);
});
document.body.append(
  element('main', {}, element('header', {}, element('div', {}, heading, target), search), grid, none),
);
editor.postMessage({ type: 'ready' });
