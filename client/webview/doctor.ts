// The script of the doctor page: a verdict, a table of the requirements for rendering, and buttons that fix problems.
import type { DoctorButton, DoctorPage, DoctorRequest, DoctorRow } from '../setup/doctorPage.ts';
import { element, setText } from './shared/webviewElement.ts';
import './doctor.css';

declare function acquireVsCodeApi(): { postMessage(message: DoctorRequest | { type: 'ready' }): void };

const editor = acquireVsCodeApi();

type Status = DoctorPage['status'];

/** Paths in a 16 × 16 view box. The status sets the color. */
const icons: Record<Status, string> = {
  ok: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.2 5.2-3.9 4.6-.9.05L4.6 9l.8-.8 1.4 1.4 3.5-4.1Z',
  warning: 'M7.5 1.6 1 13.2l.5.8h13l.5-.8L8.5 1.6ZM7.4 6h1.2v4H7.4Zm0 5h1.2v1.3H7.4Z',
  missing:
    'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm2.9 9.1-.8.8L8 8.8l-2.1 2.1-.8-.8L7.2 8 5.1 5.9l.8-.8L8 7.2l2.1-2.1.8.8L8.8 8Z',
  busy: 'M8 2a6 6 0 0 1 6 6h-1.4A4.6 4.6 0 0 0 8 3.4Z',
};

function icon(status: Status): SVGSVGElement {
  const [svg, path] = ['svg', 'path'].map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
  svg?.setAttribute('viewBox', '0 0 16 16');
  svg?.setAttribute('aria-hidden', 'true');
  svg?.setAttribute('class', `icon ${status}`);
  path?.setAttribute('fill-rule', 'evenodd');
  path?.setAttribute('d', icons[status]);
  if (svg && path) svg.append(path);
  return svg as SVGSVGElement;
}

function button({ label, request, isMain }: DoctorButton): HTMLButtonElement {
  const created = element('button', { type: 'button', className: isMain ? 'main' : '' }, label);
  created.addEventListener('click', () => editor.postMessage(request));
  return created;
}

/** The accessible name starts with the name of the row. */
function rowButton(each: DoctorButton, { name }: DoctorRow): HTMLButtonElement {
  const created = button(each);
  created.setAttribute('aria-label', `${name}: ${each.label}`);
  return created;
}

function row(each: DoctorRow): HTMLTableRowElement {
  const { status, statusText, name, value, fix, buttons } = each;
  const sign = element('span', { className: 'visually-hidden' }, statusText);
  const found = element('td', {}, element('div', { className: 'value' }, value));
  if (status !== 'ok' && fix !== '') found.append(element('div', { className: 'fix' }, fix));
  if (buttons.length > 0)
    found.append(element('div', { className: 'buttons' }, ...buttons.map((one) => rowButton(one, each))));
  return element(
    'tr',
    { className: status },
    element('td', { className: 'sign', title: statusText }, icon(status), sign),
    element('th', { scope: 'row' }, name),
    found,
  );
}

function table({ rows, columns, title }: DoctorPage): HTMLTableElement {
  const [status, name, value] = columns;
  const heads = [status, name, value].map((text, index) =>
    element('th', { scope: 'col' }, index === 0 ? element('span', { className: 'visually-hidden' }, text) : text),
  );
  return element(
    'table',
    {},
    element('caption', { className: 'visually-hidden' }, title),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows.map(row)),
  );
}

/** A live region: it must stay the same element, so that screen readers announce changes. */
const verdict = element('p', { className: 'verdict' });
verdict.setAttribute('role', 'status');
const heading = element('h1');
const note = element('p', { className: 'note' });
const actions = element('div', { className: 'buttons' });
const body = element('div', { className: 'body' });
const head = element('div', { className: 'words' }, heading, verdict, note);
const sign = element('div', { className: 'large' });
document.body.append(element('main', {}, element('header', {}, sign, head), actions, body));

/** The focused button. It gets the focus back after an update that replaced the buttons. */
let pressed: string | undefined;
const nameOf = (one: HTMLButtonElement): string => one.ariaLabel ?? one.textContent ?? '';

function show(page: DoctorPage): void {
  const isBusy = page.status === 'busy';
  const focused = document.activeElement;
  if (focused instanceof HTMLButtonElement) pressed = nameOf(focused);
  setText(heading, page.title);
  setText(verdict, page.verdict);
  setText(note, page.note);
  sign.replaceChildren(icon(page.status));
  actions.replaceChildren(...page.buttons.map(button));
  body.replaceChildren(...(page.rows.length > 0 ? [table(page)] : []));
  body.classList.toggle('old', isBusy);
  body.toggleAttribute('inert', isBusy);
  body.setAttribute('aria-busy', String(isBusy));
  if (isBusy || document.activeElement !== document.body || !document.hasFocus()) return;
  [...document.querySelectorAll('button')].find((one) => nameOf(one) === pressed)?.focus();
  pressed = undefined;
}

window.addEventListener('message', ({ data }: MessageEvent<{ type: 'show'; page: DoctorPage }>) => {
  if (data.type === 'show') show(data.page);
});
editor.postMessage({ type: 'ready' });
