// The toolbar below the frame: playback, time and frame, loop, speed, sound and view.
import type { PreviewState } from '../messages.ts';
import { chooser, iconButton, press } from './dom.ts';
import { element } from './element.ts';
import { timeText } from './frames.ts';
import { type Guide, guideNames } from './stage.ts';
import { text, whenTexts } from './texts.ts';

/** The actions of the toolbar and of keys. */
export type Actions = {
  togglePlay(): void;
  stepFrames(by: number): void;
  stepSeconds(by: number): void;
  toStart(): void;
  toEnd(): void;
  /** Goes to a time such as `1:02.5`, `75f` or `50%`. */
  goTo(time: string): void;
  setIn(): void;
  setOut(): void;
  clearRange(): void;
  toggleLoop(): void;
  setSpeed(speed: number): void;
  toggleMute(): void;
  setVolume(volume: number): void;
  setGuide(guide: Guide): void;
  toggleSafe(): void;
  toggleGrid(): void;
  togglePick(): void;
  setZoom(zoom: number | 'fit'): void;
  stepZoom(direction: 1 | -1): void;
  fullScreen(): void;
  picture(): void;
  toggleFonts(): void;
};

/** The state of the toggle buttons and options. */
export type Switches = {
  loop: boolean;
  muted: boolean;
  blocked: boolean;
  guide: Guide;
  grid: boolean;
  pick: boolean;
  zoom: number | 'fit';
  taking: boolean;
};

export type Controls = { root: HTMLElement; show(state: PreviewState): void; showSwitches(switches: Switches): void };

const speeds = [0.25, 0.5, 1, 1.5, 2, 4];
const zooms = [0.25, 0.5, 1, 2, 4];

export function createControls(actions: Actions): Controls {
  const play = iconButton('play', 'play', 'Space', actions.togglePlay);
  play.classList.add('main');
  const time = timeField(actions);
  // Not a live region, because it changes with every played frame.
  const frame = element('span', { class: 'frame' });
  const nearly = element('span', { class: 'nearly', role: 'note' }, '≈');
  const loop = iconButton('loop', 'loop', 'L', actions.toggleLoop);
  const speedOptions = speeds.map((speed) => [String(speed), `${speed}×`] as const);
  const speed = chooser('speed', speedOptions, (value) => actions.setSpeed(Number(value)));
  speed.value = '1';
  const mute = iconButton('sound', 'mute', 'M', actions.toggleMute);
  const volume = element('input', { type: 'range', min: '0', max: '1', step: '0.05', value: '1', class: 'volume' });
  volume.addEventListener('input', () => actions.setVolume(Number(volume.value)));
  const blocked = element('span', { class: 'blocked', role: 'status' });
  const guide = chooser(
    'guides',
    guideNames.map((name) =>
      name === 'none' || name === 'safe'
        ? ([name, { key: name === 'none' ? 'noGuides' : 'safeAreas' }] as const)
        : ([name, name] as const),
    ),
    (value) => actions.setGuide(value as Guide),
  );
  const grid = iconButton('grid', 'grid', 'G', actions.toggleGrid);
  const pick = iconButton('pick', 'pick', 'P', actions.togglePick);
  const zoom = chooser(
    'zoom',
    [['fit', { key: 'fit' }] as const, ...zooms.map((one) => [String(one), `${one * 100} %`] as const)],
    (value) => actions.setZoom(value === 'fit' ? 'fit' : Number(value)),
  );
  const other = element('option', { hidden: '' });
  const fonts = iconButton('fonts', 'fonts', '', actions.toggleFonts);
  fonts.dataset.popover = 'fonts';
  const picture = iconButton('picture', 'picture', '', actions.picture);
  const group = (name: string, ...children: Node[]) => element('div', { class: `group ${name}` }, ...children);
  const root = element(
    'div',
    { class: 'bar', role: 'toolbar' },
    group(
      'transport',
      iconButton('start', 'toStart', 'Home', actions.toStart),
      iconButton('previous', 'previousFrame', '←', () => actions.stepFrames(-1)),
      play,
      iconButton('next', 'nextFrame', '→', () => actions.stepFrames(1)),
      iconButton('end', 'toEnd', 'End', actions.toEnd),
    ),
    group('times', time.input, time.length, frame, nearly),
    group(
      'range-tools',
      iconButton('setIn', 'setIn', 'I', actions.setIn),
      iconButton('setOut', 'setOut', 'O', actions.setOut),
      loop,
      speed,
    ),
    group('sound', mute, volume, blocked),
    element('div', { class: 'gap' }),
    group('look', fonts, pick, guide, grid, zoom, picture, iconButton('full', 'fullScreen', 'F', actions.fullScreen)),
  );
  whenTexts(() => {
    volume.setAttribute('aria-label', text('volume'));
    volume.title = text('volume');
    nearly.title = text('nearly');
    nearly.setAttribute('aria-label', text('nearly'));
    blocked.textContent = text('soundBlocked');
  });

  return {
    root,
    show(state) {
      if (state.playing) play.show('pause', 'pause');
      else play.show('play', 'play');
      time.show(state);
      frame.textContent = `${text('frame')} ${state.frame} ${text('of', state.frames)}`;
      nearly.classList.toggle('on', !state.exact && !state.playing);
    },
    showSwitches({
      loop: loops,
      muted,
      blocked: isBlocked,
      guide: shownGuide,
      grid: hasGrid,
      pick: picks,
      zoom: now,
      taking,
    }) {
      press(loop, loops);
      mute.show(muted ? 'muted' : 'sound', muted ? 'unmute' : 'mute');
      blocked.hidden = !isBlocked || muted;
      guide.value = shownGuide;
      press(grid, hasGrid);
      press(pick, picks);
      picture.disabled = taking;
      const value = String(now);
      const isListed = [...zoom.options].some((option) => option !== other && option.value === value);
      if (isListed) other.remove();
      else {
        Object.assign(other, { value, textContent: `${Math.round(Number(now) * 100)} %` });
        zoom.append(other);
      }
      zoom.value = value;
    },
  };
}

/** The input field with the current time, and the length. */
function timeField({ goTo }: Actions) {
  const input = element('input', {
    class: 'time',
    type: 'text',
    inputmode: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const length = element('span', { class: 'length' });
  whenTexts(() => {
    input.setAttribute('aria-label', text('time'));
    input.title = `${text('time')} (1:02.5, 75f, 50%)`;
  });
  input.addEventListener('focus', () => input.select());
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    if (event.key === 'Enter') goTo(input.value);
    input.blur();
  });
  return {
    input,
    length,
    show({ time, duration }: PreviewState) {
      if (document.activeElement !== input) input.value = timeText(time);
      length.textContent = `/ ${timeText(duration)}`;
    },
  };
}

/** Runs the action of a key. Returns false for keys that the preview does not use. */
export function pressKey(event: KeyboardEvent, actions: Actions): boolean {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || (event.altKey && event.key !== 'Alt')) return false;
  if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'range') return false;
  // These keys press the focused button.
  if ((event.key === ' ' || event.key === 'Enter') && target.tagName === 'BUTTON') return false;
  const keys: Record<string, () => void> = {
    ' ': actions.togglePlay,
    k: actions.togglePlay,
    ArrowLeft: () => (event.shiftKey ? actions.stepSeconds(-1) : actions.stepFrames(-1)),
    ArrowRight: () => (event.shiftKey ? actions.stepSeconds(1) : actions.stepFrames(1)),
    Home: actions.toStart,
    End: actions.toEnd,
    i: actions.setIn,
    o: actions.setOut,
    x: actions.clearRange,
    l: actions.toggleLoop,
    m: actions.toggleMute,
    s: actions.toggleSafe,
    g: actions.toggleGrid,
    p: actions.togglePick,
    f: actions.fullScreen,
    '+': () => actions.stepZoom(1),
    '=': () => actions.stepZoom(1),
    '-': () => actions.stepZoom(-1),
    '0': () => actions.setZoom('fit'),
    '1': () => actions.setZoom(1),
  };
  const run = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!run) return false;
  run();
  return true;
}
