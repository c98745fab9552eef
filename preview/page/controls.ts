// The bar under the picture: playing, time and frame, loop, speed, sound, and how the picture is looked at.
import type { PreviewState } from '../preview/messages.ts';
import { chooser, element, iconButton, press } from './dom.ts';
import { timeText } from './frames.ts';
import { type Guide, guideNames } from './stage.ts';
import { text, whenTexts } from './texts.ts';

/** What the bar and the keys can do. */
export type Actions = {
  togglePlay(): void;
  stepFrames(by: number): void;
  stepSeconds(by: number): void;
  toStart(): void;
  toEnd(): void;
  /** As written: `1:02.5`, `75f`, `50%`. */
  goTo(written: string): void;
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
};

/** What is switched on. */
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
  // No live region: it changes with every frame that is played.
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
    group('look', pick, guide, grid, zoom, picture, iconButton('full', 'fullScreen', 'F', actions.fullScreen)),
  );
  let frames = 1;
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
      frames = state.frames;
      if (state.playing) play.show('pause', 'pause');
      else play.show('play', 'play');
      time.show(state);
      frame.textContent = `${text('frame')} ${state.frame} ${text('of', frames)}`;
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

/** The time, to be read and to be written into; and the length. */
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

/** What a key does; false where it is not one of the preview's. */
export function pressKey(event: KeyboardEvent, actions: Actions): boolean {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || (event.altKey && event.key !== 'Alt')) return false;
  if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'range') return false;
  // A button that has the focus is pressed by these itself.
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
