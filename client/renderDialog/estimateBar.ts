// The bar at the bottom of the render dialog: what will be rendered, estimates, errors and buttons. Runs in its page.
import { element, fill, setText } from '../webview/shared/webviewElement.ts';
import type { CheckResult, Fact } from './dialogMessages.ts';
import type { DialogStrings } from './dialogStrings.ts';

/** `setRows`: the number of rows to render; undefined for one video. */
export type EstimateBar = {
  root: HTMLElement;
  show(result: CheckResult): void;
  setRows(rows: number | undefined): void;
};

export function createEstimateBar(
  strings: DialogStrings,
  { onRender, onCopy }: { onRender(): void; onCopy(): void },
): EstimateBar {
  const video = element('div', { className: 'summary', attributes: { role: 'status' } });
  const facts = { time: factElement(strings.time), size: factElement(strings.size), cost: factElement(strings.cost) };
  const error = element('div', { className: 'check-error', hidden: true, attributes: { role: 'alert' } });
  const label = element('span', { textContent: strings.render });
  const render = element('button', { type: 'button', className: 'primary' }, label);
  render.title = strings.renderKeys;
  render.append(element('kbd', { textContent: strings.renderKey }));
  render.addEventListener('click', onRender);
  const copy = element('button', { type: 'button', className: 'secondary', textContent: strings.copyCommand });
  copy.addEventListener('click', onCopy);
  const tiles = element('dl', { className: 'facts' }, ...Object.values(facts).map(({ root }) => root));
  const root = element(
    'footer',
    { className: 'estimates' },
    element('div', { className: 'outcome' }, video, tiles, error),
    element('div', { className: 'buttons' }, render, copy),
  );
  return {
    root,
    setRows(rows) {
      const text = rows === undefined ? strings.render : fill(strings.renderRows, rows);
      setText(label, rows === 1 ? strings.renderOneRow : text);
      render.disabled = rows === 0;
    },
    show(result) {
      root.classList.toggle('is-checking', result.state === 'checking');
      if (result.state === 'checking') return setText(video, strings.checking);
      error.hidden = result.state === 'valid';
      tiles.hidden = result.state === 'invalid';
      video.hidden = result.state === 'invalid';
      if (result.state === 'invalid') {
        const hint = element('span', { className: 'hint', textContent: result.hint });
        return error.replaceChildren(element('strong', { textContent: result.message }), hint);
      }
      error.replaceChildren();
      setText(video, result.video);
      facts.time.show(result.time);
      facts.size.show(result.size);
      facts.cost.show(result.cost);
    },
  };
}

function factElement(label: string): { root: HTMLElement; show(fact: Fact): void } {
  const value = element('span', { className: 'value' });
  const basis = element('span', { className: 'basis' });
  const root = element(
    'div',
    { className: 'fact' },
    element('dt', { textContent: label }),
    element('dd', {}, value, basis),
  );
  return {
    root,
    show(fact) {
      setText(value, fact.value);
      setText(basis, fact.basis);
      root.title = fact.basis;
      root.classList.toggle('is-unknown', fact.isUnknown);
    },
  };
}
