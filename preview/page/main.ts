// The preview's page: puts stage, bar, timeline, sound and problems together around the composition in its frame.
import './preview.css';
import type { PreviewPlace, PreviewState } from '../preview/messages.ts';
import { clipFacts } from './clipFacts.ts';
import { type Actions, createControls, pressKey, type Switches } from './controls.ts';
import { element } from './dom.ts';
import { followSystemTheme, isFramed, listenToEditor, passOn, setTheme, tellEditor } from './editor.ts';
import { readTime } from './frames.ts';
import { composition, followStatus, missingFiles, takePicture } from './link.ts';
import { boxesOf, clipAround, elementAt, elementsAt, markOf, nameOf } from './marks.ts';
import { createPlayback, frameOf } from './playback.ts';
import { createProblems } from './problemsView.ts';
import type { Screen } from './screen.ts';
import { createSoundPlayer } from './sound.ts';
import { createStage } from './stage.ts';
import { setTexts, text } from './texts.ts';
import { createTimeline } from './timelineView.ts';

const switches: Switches = {
  loop: true,
  muted: false,
  blocked: false,
  guide: 'none',
  grid: false,
  pick: false,
  zoom: 'fit',
  taking: false,
};
const note = element('div', { class: 'note', role: 'status' }, text('loading'));
let selection: { file: string; offset: number } | null = null;
let last: PreviewState | undefined;

const change = (changed: Partial<Switches>) => {
  Object.assign(switches, changed);
  controls.showSwitches(switches);
};
const open = (place: PreviewPlace) => tellEditor({ type: 'open', place });
const problems = createProblems((list) => tellEditor({ type: 'problems', problems: list }), open);
const stage = createStage(() => change({ zoom: stage.zoom() }));
const sound = createSoundPlayer(
  (blocked) => change({ blocked }),
  (message) => problems.add('sound', { severity: 'warning', message }),
);
const playback = createPlayback(stage.screens, {
  onShown: showScreen,
  onState: showState,
  onFault: (problem) => problems.add('page', problem),
  onFresh() {
    problems.set('page', []);
    problems.set('sound', []);
  },
  onLoaded: () => void missingFiles().then((missing) => problems.set('files', missing)),
});

const toFrame = (frame: number) => playback.seek(frame);
const nowFrame = () => last?.frame ?? 0;
const actions: Actions = {
  togglePlay: () => (last?.playing ? playback.pause() : playback.play()),
  stepFrames(by) {
    playback.pause();
    toFrame(nowFrame() + by);
  },
  stepSeconds(by) {
    playback.pause();
    toFrame(nowFrame() + Math.round(by * (last?.fps ?? 30)));
  },
  toStart: () => toFrame(last?.inFrame ?? 0),
  toEnd: () => toFrame((last?.outFrame ?? 1) - 1),
  goTo(written) {
    const screen = playback.screen();
    const time = screen && readTime(written, screen.facts.rate, screen.duration);
    if (screen && time !== undefined) toFrame(frameOf(screen, time));
  },
  setIn: () => playback.setRange({ inFrame: nowFrame() }),
  setOut: () => playback.setRange({ outFrame: nowFrame() + 1 }),
  clearRange: () => playback.setRange(null),
  toggleLoop() {
    playback.setLoop(!playback.loops());
    change({ loop: playback.loops() });
  },
  setSpeed: (speed) => playback.setSpeed(speed),
  toggleMute() {
    sound.setMuted(!switches.muted);
    change({ muted: !switches.muted });
  },
  setVolume(volume) {
    sound.setVolume(volume);
    sound.setMuted(false);
    change({ muted: false });
  },
  setGuide(guide) {
    stage.setGuide(guide);
    change({ guide });
  },
  toggleSafe: () => actions.setGuide(switches.guide === 'safe' ? 'none' : 'safe'),
  toggleGrid() {
    stage.setGrid(!switches.grid);
    change({ grid: !switches.grid });
  },
  togglePick: () => setPick(!switches.pick),
  setZoom: (zoom) => stage.setZoom(zoom),
  stepZoom: (direction) => stage.stepZoom(direction),
  fullScreen() {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen().catch(() => undefined);
  },
  picture: () => void savePicture(),
};
const controls = createControls(actions);
const timeline = createTimeline({
  onSeek(time) {
    const screen = playback.screen();
    if (screen) toFrame(frameOf(screen, time));
  },
  onClip(index, reveal) {
    const clip = playback.screen()?.player.clips()[index]?.element;
    if (clip) select(clip, reveal);
  },
  onKey: (event) => press(event),
});

function setPick(on: boolean): void {
  stage.root.classList.toggle('picking', on);
  if (!on) showSelection();
  change({ pick: on });
}

/** Selects an element of the page, and asks the editor to show where it is written. */
function select(at: Element, reveal: boolean): void {
  const screen = playback.screen();
  const found = screen && markOf(at, screen.facts.files);
  if (!found) return;
  selection = { file: found.mark.file, offset: found.mark.start };
  // The start of an element belongs to the one around it as well, but it is the innermost that is looked for.
  showSelection();
  if (reveal) tellEditor({ type: 'reveal', file: found.mark.file, offset: found.mark.start });
}

function showSelection(): void {
  const screen = playback.screen();
  if (!screen) return;
  const elements = selection ? elementsAt(screen, selection) : [];
  const [first] = elements;
  stage.outline(boxesOf(elements), first ? nameOf(first) : '');
  timeline.select(first && clipAround(first, screen.player.clips()));
}

function showScreen(screen: Screen): void {
  note.hidden = true;
  stage.setSize(screen.facts.width, screen.facts.height);
  timeline.setClips(clipFacts(screen.player.clips()), screen.duration);
  showSelection();
  tellEditor({ type: 'shown', composition });
}

function showState(state: PreviewState): void {
  last = state;
  controls.show(state);
  timeline.show(state);
  const screen = playback.screen();
  if (screen) sound.follow(screen.player.sounds(), { ...state, speed: playback.speed() });
  if (!state.playing) showSelection();
  else stage.outline([], '');
  tellEditor({ type: 'state', state });
}

function press(event: KeyboardEvent): void {
  if (event.key === 'Escape' && switches.pick) setPick(false);
  else if (!pressKey(event, actions)) return;
  event.preventDefault();
  event.stopPropagation();
}

async function savePicture(): Promise<void> {
  if (switches.taking || !last) return;
  const { frame, time } = last;
  playback.pause();
  change({ taking: true });
  showNote(text('takingPicture'));
  try {
    const png = await takePicture(frame);
    hideNote();
    if (isFramed) tellEditor({ type: 'picture', png, time, frame });
    else {
      const href = URL.createObjectURL(new Blob([png as Uint8Array<ArrayBuffer>], { type: 'image/png' }));
      const name = composition.replace(/^.*\/|\.html?$/g, '');
      element('a', { href, download: `${name}-${frame}.png` }).click();
      URL.revokeObjectURL(href);
    }
  } catch (error) {
    const { message } = error as Error;
    showNote(text('noPicture', message));
    tellEditor({ type: 'noPicture', message });
    setTimeout(hideNote, 6000);
  } finally {
    change({ taking: false });
  }
}

function showNote(said: string): void {
  note.textContent = said;
  note.hidden = false;
}
function hideNote(): void {
  note.hidden = true;
}

stage.root.addEventListener('click', (event) => {
  const screen = playback.screen();
  const point = stage.pointAt(event);
  if (!screen || !point || !(event.altKey || switches.pick)) return;
  const found = elementAt(screen, point);
  setPick(false);
  if (found) select(found, true);
});
stage.root.addEventListener('dblclick', (event) => {
  const screen = playback.screen();
  const point = stage.pointAt(event);
  const found = screen && point && elementAt(screen, point);
  if (found) select(found, true);
});
stage.root.addEventListener('pointermove', (event) => {
  const screen = playback.screen();
  if (!screen || !(switches.pick || event.altKey)) return;
  const point = stage.pointAt(event);
  const found = point && markOf(elementAt(screen, point), screen.facts.files);
  stage.outline(found ? boxesOf([found.element]) : [], found ? nameOf(found.element) : '');
});
document.addEventListener('keydown', press);
document.addEventListener('keydown', passOn);
document.addEventListener('visibilitychange', () => document.hidden && playback.pause());

stage.root.append(note);
document.body.append(element('main', {}, stage.root, problems.root), controls.root, timeline.root);
document.title = `Preview ${composition}`;
change({});

listenToEditor((message) => {
  if (message.type === 'theme') setTheme(message);
  else if (message.type === 'strings') setTexts(message.texts);
  else if (message.type === 'play') playback.play();
  else if (message.type === 'pause') playback.pause();
  else if (message.type === 'takePicture') void savePicture();
  else if (message.type === 'pick') setPick(message.on);
  else if (message.type === 'seek') {
    const screen = playback.screen();
    if (screen) toFrame(frameOf(screen, message.time));
  } else if (message.type === 'select') {
    selection = message.at;
    showSelection();
  }
});
if (!isFramed) followSystemTheme();
tellEditor({ type: 'loaded' });

let version = 0;
void followStatus(
  (status) => {
    problems.set('project', status.problems);
    if (status.version === 0 || playback.screen()) hideNote();
    if (status.version !== version && status.version > 0) playback.reload();
    version = status.version;
  },
  () => showNote(text('lost')),
);
