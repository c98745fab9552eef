// The options of the render dialog: where to render, output, format, quality, color, size, frame rate and time range. Runs in its page.
import { captionKinds, codecNames, embedded, formats, qualities } from '../../renderer-core/plan/formats.ts';
import { commonAspectRatios, fits, resolutions } from '../../renderer-core/plan/resolution.ts';
import type { VideoChoice } from '../render/jobArguments.ts';
import { element, fill } from '../webview/shared/webviewElement.ts';
import type { DialogState } from './dialogMessages.ts';
import type { DialogStrings } from './dialogStrings.ts';
import { listControl, optionRow, segmentedControl, textControl } from './optionControls.ts';
import {
  colorsOf,
  extensionOf,
  keepsAlpha,
  type RenderChoice,
  type Target,
  targets,
  withExtension,
  withOption,
} from './renderChoice.ts';

type Events = { onChange(choice: RenderChoice, output: string): void; onChooseStack(): void };

export type OptionForm = {
  root: HTMLElement;
  update(state: DialogState): void;
};

const commonRates = ['24', '25', '29.97', '30', '50', '60'];

type Form = {
  strings: DialogStrings;
  events: Events;
  choice: RenderChoice;
  shown?: DialogState;
  /** The path that the user has typed; empty for the suggestion. */
  output: string;
};

type Controls = ReturnType<typeof createControls>;

export function createOptionForm(strings: DialogStrings, events: Events): OptionForm {
  const form: Form = { strings, events, choice: { target: 'local', video: {} }, output: '' };
  const controls = createControls(form, (choice) => {
    form.choice = choice;
    showChoice(form, controls);
    events.onChange(choice, form.output);
  });
  const { target, path, format, quality, color, aspectRatio, resolution, fitRow, fps, from, to, captions } = controls;
  const root = element('section', { className: 'options', attributes: { 'aria-label': strings.video } });
  root.append(
    element('h2', { textContent: strings.video }),
    ...[target.root, path.root, format.root, quality.root, color.root, optionRow(aspectRatio, resolution), fitRow],
    optionRow(fps, from, to),
    captions.root,
  );
  return {
    root,
    update(state) {
      // The page is created again when its tab was hidden.
      if (!form.shown) [form.choice, form.output] = [state.choice, state.output];
      // The path of one video is not a path for all rows.
      else if (form.shown.isBatch !== state.isBatch) form.output = state.output;
      form.shown = state;
      aspectRatio.setDefault(state.own.size === '' ? strings.own : fill(strings.ownSize, state.own.size));
      fps.setPlaceholder(state.own.fps);
      to.setPlaceholder(state.own.duration || strings.end);
      showChoice(form, controls);
    },
  };
}

function createControls(form: Form, change: (choice: RenderChoice) => void) {
  const { strings, events } = form;
  const set = (name: keyof VideoChoice) => (value: string) =>
    change({ ...form.choice, video: withOption(form.choice.video, name, value) });
  const own = { value: '', label: strings.own };
  const named = (values: readonly string[]) => [own, ...values.map((value) => ({ value, label: value }))];
  const labels = (values: readonly (keyof DialogStrings)[]) =>
    values.map((value) => ({ value, label: strings[value] }));

  const target = segmentedControl(strings.target, labels(targets), (value) =>
    change({ ...form.choice, target: value as Target }),
  );
  const stack = element('button', { type: 'button', className: 'link', textContent: strings.chooseStack });
  stack.addEventListener('click', () => events.onChooseStack());
  target.root.append(stack);
  const path = textControl(strings.output, (value) => {
    form.output = value.trim();
    events.onChange(form.choice, form.output);
  });
  path.setHint(strings.outputHint);
  const format = segmentedControl(strings.format, labels(formats.filter((name) => name !== 'hls')), (value) => {
    const video = withOption(form.choice.video, 'format', value === 'mp4' ? '' : value);
    if (form.output !== '') form.output = withExtension(form.output, extensionOf(video));
    change({ ...form.choice, video });
  });
  const quality = segmentedControl(strings.quality, labels(qualities), (value) =>
    set('quality')(value === 'standard' ? '' : value),
  );
  const colors = [{ value: '10-bit', label: strings.bits10 }, ...labels(['pq', 'hlg'])];
  const color = listControl(strings.color, [{ value: '', label: strings.bits8 }, ...colors], set('color'));
  const aspectRatio = listControl(strings.aspectRatio, named(commonAspectRatios), set('aspectRatio'));
  const resolution = listControl(strings.resolution, named(resolutions), set('resolution'));
  const fit = listControl(strings.fit, labels(fits), (value) => set('fit')(value === 'contain' ? '' : value));
  const background = textControl(strings.background, set('background'));
  background.setPlaceholder(strings.pageBackground);
  const fps = textControl(strings.fps, set('fps'), commonRates);
  const [from, to] = [textControl(strings.from, set('from')), textControl(strings.to, set('to'))];
  from.setPlaceholder('0');
  const fitRow = optionRow(fit, background);
  const captions = listControl(
    strings.captions,
    [{ value: '', label: strings.noCaptions }, ...labels([embedded, ...captionKinds])],
    set('captions'),
  );
  const size = { aspectRatio, resolution, fit, background, fitRow };
  return { target, stack, path, format, quality, color, ...size, fps, from, to, captions };
}

function showChoice(form: Form, controls: Controls): void {
  const { strings, choice, shown, output } = form;
  const { video } = choice;
  const isBatch = shown?.isBatch ?? false;
  const isLocal = isBatch || choice.target === 'local';
  const { target, stack, path, format, quality, aspectRatio, resolution, fit, background, fps, from, to } = controls;
  const { color, captions } = controls;
  target.update(isBatch ? 'local' : choice.target);
  target.setDisabled(isBatch);
  target.setHint(targetHint(form));
  stack.hidden = isLocal || choice.target !== 'aws';
  path.setHint(isBatch ? strings.rowsOutput : strings.outputHint);
  path.update(output);
  path.setPlaceholder(shown?.suggestion ?? '');
  format.update(video.format ?? 'mp4');
  format.setHint(alphaHint(form));
  quality.update(video.quality ?? 'standard');
  color.setDefault(video.format === 'mov' ? `${strings.bits10} (${codecNames.prores})` : strings.bits8);
  color.setAvailable(colorsOf(video));
  color.update(video.color ?? '');
  color.setHint(isLocal ? colorHint(form) : strings.colorLocal);
  aspectRatio.update(video.aspectRatio ?? '');
  resolution.update(video.resolution ?? '');
  fit.update(video.fit ?? 'contain');
  controls.fitRow.hidden = video.aspectRatio === undefined;
  background.update(video.background ?? '');
  background.setDisabled((video.fit ?? 'contain') !== 'contain');
  fps.update(video.fps ?? '');
  from.update(video.from ?? '');
  to.update(video.to ?? '');
  captions.update(video.captions ?? '');
  for (const control of [color, from, to, captions]) control.setDisabled(!isLocal);
  from.setHint(isLocal ? strings.rangeHint : strings.rangeLocal);
}

function alphaHint({ strings, choice: { video } }: Form): string {
  if (keepsAlpha(video)) return strings.alpha;
  return keepsAlpha(withOption(video, 'color', '')) ? strings.noColorAlpha : strings.noAlpha;
}

function colorHint({ strings, choice: { video } }: Form): string {
  if (video.color === undefined) return '';
  if (video.color !== '10-bit') return fill(strings.hdrHint, codecNames.h265);
  return fill(strings.bits10Hint, video.format === 'webm' ? codecNames.vp9 : codecNames.h265);
}

function targetHint({ strings, choice, shown }: Form): string {
  if (shown?.isBatch) return strings.rowsLocal;
  if (choice.target === 'local') return strings.localHint;
  if (choice.target === 'cloud') return strings.cloudHint;
  return shown?.stack ? fill(strings.awsHint, shown.stack) : strings.noStack;
}
