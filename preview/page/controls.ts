// The toolbar below the frame: playback, time and frame, loop, speed, sound and view.
import type { PageFacts } from '../facts.ts';
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
  /** Shows the composition in one of its sizes, such as `1080x1920`; empty: in that of the video. */
  setSize(size: string): void;
  toggleCompare(): void;
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
  comparing: boolean;
  zoom: number | 'fit';
  taking: boolean;
};

export type Controls = {
  root: HTMLElement;
  show(state: PreviewState): void;
  showSwitches(switches: Switches): void;
  /** The sizes of the composition; `shown`: see `setSize`. */
  showSizes(sizes: PageFacts['sizes'], shown: string): void;
};

const speeds = [0.25, 0.5, 1, 1.5, 2, 4];
const zooms = [0.25, 0.5, 1, 2, 4];

const group = (name: string, ...children: Node[]) => element('div', { class: `group ${name}` }, ...children);

export function createControls(actions: Actions): Controls {
  const play = iconButton('play', 'play', 'Space', actions.togglePlay);
  play.classList.add('main');
  const time = timeField(actions);
  const loop = iconButton('loop', 'loop', 'L', actions.toggleLoop);
  const sound = soundControls(actions);
  const sizes = sizeControls(actions);
  const look = lookControls(actions);
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
    time.root,
    group(
      'range-tools',
      iconButton('setIn', 'setIn', 'I', actions.setIn),
      iconButton('setOut', 'setOut', 'O', actions.setOut),
      loop,
      speedList(actions),
    ),
    sound.root,
    element('div', { class: 'gap' }),
    sizes.root,
    look.root,
  );
  return {
    root,
    show(state) {
      if (state.playing) play.show('pause', 'pause');
      else play.show('play', 'play');
      time.show(state);
    },
    showSwitches(switches) {
      press(loop, switches.loop);
      sound.show(switches);
      look.show(switches);
      sizes.showSwitches(switches);
    },
    showSizes: sizes.show,
  };
}

function speedList({ setSpeed }: Actions): HTMLSelectElement {
  const options = speeds.map((speed) => [String(speed), `${speed}×`] as const);
  const list = chooser('speed', options, (value) => setSpeed(Number(value)));
  list.value = '1';
  return list;
}

function soundControls({ toggleMute, setVolume }: Actions) {
  const mute = iconButton('sound', 'mute', 'M', toggleMute);
  const volume = element('input', { type: 'range', min: '0', max: '1', step: '0.05', value: '1', class: 'volume' });
  volume.addEventListener('input', () => setVolume(Number(volume.value)));
  const blocked = element('span', { class: 'blocked', role: 'status' });
  whenTexts(() => {
    volume.setAttribute('aria-label', text('volume'));
    volume.title = text('volume');
    blocked.textContent = text('soundBlocked');
  });
  return {
    root: group('sound', mute, volume, blocked),
    show({ muted, blocked: isBlocked }: Switches) {
      mute.show(muted ? 'muted' : 'sound', muted ? 'unmute' : 'mute');
      blocked.hidden = !isBlocked || muted;
    },
  };
}

/** What the frame shows, and how large. */
function lookControls(actions: Actions) {
  const fonts = iconButton('fonts', 'fonts', '', actions.toggleFonts);
  fonts.dataset.popover = 'fonts';
  const pick = iconButton('pick', 'pick', 'P', actions.togglePick);
  const textKeys = { none: { key: 'noGuides' }, safe: { key: 'safeAreas' } } as const;
  const guides = guideNames.map((name) => [name, name === 'none' || name === 'safe' ? textKeys[name] : name] as const);
  const guide = chooser('guides', guides, (value) => actions.setGuide(value as Guide));
  const grid = iconButton('grid', 'grid', 'G', actions.toggleGrid);
  const zoom = zoomList(actions);
  const picture = iconButton('picture', 'picture', '', actions.picture);
  const full = iconButton('full', 'fullScreen', 'F', actions.fullScreen);
  return {
    root: group('look', fonts, pick, guide, grid, zoom.list, picture, full),
    show(switches: Switches) {
      guide.value = switches.guide;
      press(grid, switches.grid);
      press(pick, switches.pick);
      picture.disabled = switches.taking;
      zoom.show(switches.zoom);
    },
  };
}

/** Only for compositions that declare sizes. */
function sizeControls({ setSize, toggleCompare }: Actions) {
  const list = chooser('size', [['', { key: 'videoSize' }]], setSize);
  const [usual] = list.options;
  const compare = iconButton('compare', 'compareSizes', '', toggleCompare);
  const root = group('sizes', list, compare);
  root.hidden = true;
  return {
    root,
    show(sizes: PageFacts['sizes'], shown: string) {
      root.hidden = sizes.length < 2;
      const options = sizes.map(({ width, height, name }) =>
        element('option', { value: `${width}x${height}` }, `${name} (${width} × ${height})`),
      );
      list.replaceChildren(...(usual ? [usual] : []), ...options);
      list.value = shown;
    },
    showSwitches: ({ comparing }: Switches) => press(compare, comparing),
  };
}

function zoomList({ setZoom }: Actions) {
  const list = chooser(
    'zoom',
    [['fit', { key: 'fit' }] as const, ...zooms.map((one) => [String(one), `${one * 100} %`] as const)],
    (value) => setZoom(value === 'fit' ? 'fit' : Number(value)),
  );
  const other = element('option', { hidden: '' });
  return {
    list,
    show(zoom: Switches['zoom']) {
      const value = String(zoom);
      const isListed = [...list.options].some((option) => option !== other && option.value === value);
      if (isListed) other.remove();
      else {
        Object.assign(other, { value, textContent: `${Math.round(Number(zoom) * 100)} %` });
        list.append(other);
      }
      list.value = value;
    },
  };
}

/** The input field with the current time, the length, and the frame. */
function timeField({ goTo }: Actions) {
  const input = element('input', {
    class: 'time',
    type: 'text',
    inputmode: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const length = element('span', { class: 'length' });
  // Not a live region, because it changes with every played frame.
  const frame = element('span', { class: 'frame' });
  const nearly = element('span', { class: 'nearly', role: 'note' }, '≈');
  const sdr = element('span', { class: 'sdr', role: 'note' }, 'SDR');
  whenTexts(() => {
    input.setAttribute('aria-label', text('time'));
    input.title = `${text('time')} (1:02.5, 75f, 50%)`;
    nearly.title = text('nearly');
    nearly.setAttribute('aria-label', text('nearly'));
    sdr.title = text('sdr');
    sdr.setAttribute('aria-label', text('sdr'));
  });
  input.addEventListener('focus', () => input.select());
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    if (event.key === 'Enter') goTo(input.value);
    input.blur();
  });
  return {
    root: group('times', input, length, frame, nearly, sdr),
    show({ time, duration, frame: shown, frames, exact, hdr, playing }: PreviewState) {
      if (document.activeElement !== input) input.value = timeText(time);
      length.textContent = `/ ${timeText(duration)}`;
      frame.textContent = `${text('frame')} ${shown} ${text('of', frames)}`;
      nearly.classList.toggle('on', !exact && !playing);
      sdr.hidden = !hdr;
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
