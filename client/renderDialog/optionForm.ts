// The options of the render dialog: where to render, output, format, quality, size, frame rate and time range. Runs in its page.
import { formats, qualities } from '../../renderer-core/plan/formats.ts';
import { commonAspectRatios, fits, resolutions } from '../../renderer-core/plan/resolution.ts';
import type { VideoChoice } from '../render/jobArguments.ts';
import { element, fill } from '../webviewElement.ts';
import type { DialogState } from './dialogMessages.ts';
import type { DialogStrings } from './dialogStrings.ts';
import { listControl, optionRow, segmentedControl, textControl } from './optionControls.ts';
import {
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

export function createOptionForm(strings: DialogStrings, events: Events): OptionForm {
  let choice: RenderChoice = { target: 'local', video: {} };
  let shown: DialogState | undefined;
  /** The path that the user has typed; empty for the suggestion. */
  let output = '';

  const change = (changed: RenderChoice) => {
    choice = changed;
    show();
    events.onChange(choice, output);
  };
  const set = (name: keyof VideoChoice) => (value: string) =>
    change({ ...choice, video: withOption(choice.video, name, value) });
  const own = { value: '', label: strings.own };
  const named = (values: readonly string[]) => [own, ...values.map((value) => ({ value, label: value }))];
  const labels = (values: readonly (keyof DialogStrings)[]) =>
    values.map((value) => ({ value, label: strings[value] }));

  const target = segmentedControl(strings.target, labels(targets), (value) =>
    change({ ...choice, target: value as Target }),
  );
  const stack = element('button', { type: 'button', className: 'link', textContent: strings.chooseStack });
  stack.addEventListener('click', () => events.onChooseStack());
  target.root.append(stack);
  const path = textControl(strings.output, (value) => {
    output = value.trim();
    events.onChange(choice, output);
  });
  path.setHint(strings.outputHint);
  const format = segmentedControl(strings.format, labels(formats), (value) => {
    const video = withOption(choice.video, 'format', value === 'mp4' ? '' : value);
    if (output !== '') output = withExtension(output, extensionOf(video));
    change({ ...choice, video });
  });
  const quality = segmentedControl(strings.quality, labels(qualities), (value) =>
    set('quality')(value === 'standard' ? '' : value),
  );
  const aspectRatio = listControl(strings.aspectRatio, named(commonAspectRatios), set('aspectRatio'));
  const resolution = listControl(strings.resolution, named(resolutions), set('resolution'));
  const fit = listControl(strings.fit, labels(fits), (value) => set('fit')(value === 'contain' ? '' : value));
  const background = textControl(strings.background, set('background'));
  background.setPlaceholder(strings.pageBackground);
  const fps = textControl(strings.fps, set('fps'), commonRates);
  const [from, to] = [textControl(strings.from, set('from')), textControl(strings.to, set('to'))];
  from.setPlaceholder('0');
  const fitRow = optionRow(fit, background);

  function show(): void {
    const { video } = choice;
    const isBatch = shown?.isBatch ?? false;
    const isLocal = isBatch || choice.target === 'local';
    target.update(isBatch ? 'local' : choice.target);
    target.setDisabled(isBatch);
    target.setHint(targetHint());
    stack.hidden = isLocal || choice.target !== 'aws';
    path.setHint(isBatch ? strings.rowsOutput : strings.outputHint);
    path.update(output);
    path.setPlaceholder(shown?.suggestion ?? '');
    format.update(video.format ?? 'mp4');
    format.setHint(keepsAlpha(video) ? strings.alpha : strings.noAlpha);
    quality.update(video.quality ?? 'standard');
    aspectRatio.update(video.aspectRatio ?? '');
    resolution.update(video.resolution ?? '');
    fit.update(video.fit ?? 'contain');
    fitRow.hidden = video.aspectRatio === undefined;
    background.update(video.background ?? '');
    background.setDisabled((video.fit ?? 'contain') !== 'contain');
    fps.update(video.fps ?? '');
    for (const [control, value] of [
      [from, video.from],
      [to, video.to],
    ] as const) {
      control.update(value ?? '');
      control.setDisabled(!isLocal);
    }
    from.setHint(isLocal ? strings.rangeHint : strings.rangeLocal);
  }
  function targetHint(): string {
    if (shown?.isBatch) return strings.rowsLocal;
    if (choice.target === 'local') return strings.localHint;
    if (choice.target === 'cloud') return strings.cloudHint;
    return shown?.stack ? fill(strings.awsHint, shown.stack) : strings.noStack;
  }

  const root = element('section', { className: 'options', attributes: { 'aria-label': strings.video } });
  root.append(
    element('h2', { textContent: strings.video }),
    ...[target.root, path.root, format.root, quality.root, optionRow(aspectRatio, resolution), fitRow],
    optionRow(fps, from, to),
  );
  return {
    root,
    update(state) {
      const isOther = shown !== undefined && shown.isBatch !== state.isBatch;
      const isFirst = shown === undefined;
      shown = state;
      // The page is created again when its tab was hidden.
      if (isFirst) [choice, output] = [state.choice, state.output];
      // The path of one video is not a path for all rows.
      if (isOther) output = state.output;
      aspectRatio.setDefault(state.own.size === '' ? strings.own : fill(strings.ownSize, state.own.size));
      fps.setPlaceholder(state.own.fps);
      to.setPlaceholder(state.own.duration || strings.end);
      show();
    },
  };
}
