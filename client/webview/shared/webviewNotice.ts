// A message in a panel instead of its page.
import type { PanelNotice } from '../../preview/previewMessages.ts';
import { element } from './webviewElement.ts';
import './webviewNotice.css';

/** The alert is inside `main`, because an alert role on `main` would remove the landmark. */
export function noticeElement({ text, detail, button }: PanelNotice, onAction: () => void): HTMLElement {
  const parts: Node[] = [element('h1', { textContent: text })];
  if (detail !== undefined) parts.push(element('p', { textContent: detail }));
  if (button) parts.push(element('button', { type: 'button', textContent: button.label, onclick: onAction }));
  return element('main', { className: 'notice' }, element('div', { attributes: { role: 'alert' } }, ...parts));
}
