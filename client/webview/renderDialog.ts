// The script of the render dialog: the variables form, the options of the video, and the bar with estimates and buttons.
import './renderDialog.css';
import type { DialogAction, FromDialog, ToDialog } from '../renderDialog/dialogMessages.ts';
import type { DialogStrings } from '../renderDialog/dialogStrings.ts';
import { createEstimateBar, type EstimateBar } from '../renderDialog/estimateBar.ts';
import { createOptionForm, type OptionForm } from '../renderDialog/optionForm.ts';
import { element, fill, setText } from '../webviewElement.ts';
import { editor, parts } from './form.ts';

let strings: DialogStrings | undefined;
let options: OptionForm | undefined;
let bar: EstimateBar | undefined;
const heading = element('h1');

const send = (message: FromDialog) => editor.postMessage(message);
const act = (type: DialogAction) => () => send({ type });

window.addEventListener('message', ({ data }: MessageEvent<ToDialog>) => {
  if (data.type === 'dialogStart') start(data.strings);
  if (data.type === 'dialogState' && strings) {
    setText(heading, fill(strings.heading, data.state.name));
    options?.update(data.state);
  }
  if (data.type === 'dialogCheck') bar?.show(data.result);
});
send({ type: 'dialogReady' });

function start(texts: DialogStrings): void {
  strings = texts;
  document.body.classList.add('dialog');
  const form = createOptionForm(texts, {
    onChange: (choice, output) => send({ type: 'dialogChoice', choice, output }),
    onChooseStack: act('dialogChooseStack'),
  });
  options = form;
  bar = createEstimateBar(texts, { onRender: act('dialogRender'), onCopy: act('dialogCopy') });
  const values = element('section', { className: 'values' });
  values.append(element('h2', { textContent: texts.values }), ...parts);
  const columns = element('div', { className: 'columns' }, values, form.root);
  document.body.prepend(element('header', {}, heading), columns);
  document.body.append(bar.root);
}
