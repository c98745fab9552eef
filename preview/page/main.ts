// The preview page: connects stage, toolbar, timeline, sound and problems with the composition in its frame.
// It is long because every part of the page is connected here, and nothing else is done here.
import './preview.css';
import { pageBackground } from '../../renderer-core/capture/page/pageBackground.ts';
import type { PreviewLocation, PreviewState } from '../messages.ts';
import { type Actions, createControls, pressKey, type Switches } from './controls.ts';
import type { ElementMenu } from './editing/elementMenu.ts';
import { TextEditing } from './editing/textEditing.ts';
import { textAt, textIn } from './editing/textPlace.ts';
import { followSystemTheme, forwardKey, isFramed, listenToEditor, postToEditor, setTheme } from './editor.ts';
import { element } from './element.ts';
import { createFindingsView } from './findingsView.ts';
import { createFontsView } from './fontsView.ts';
import { readTime } from './frames.ts';
import { composition, followStatus, isMuted, isPart, missingFiles, setSize, size, takeFrameImage } from './link.ts';
import { boxesOf, clipAround, elementAt, elementsAt, markOf, nameOf } from './marks.ts';
import { OtherSizes } from './otherSizes.ts';
import { frameOf, Playback } from './playback/playback.ts';
import { createSoundPlayer } from './playback/sound.ts';
import { createProblemsView } from './problemsView.ts';
import type { Screen } from './screen.ts';
import { Stage } from './stage.ts';
import { setTexts, text } from './texts.ts';
import { clipFacts } from './timeline/clipFacts.ts';
import { TimelineView } from './timeline/timelineView.ts';

const switches: Switches = {
  loop: true,
  muted: false,
  blocked: false,
  guide: 'none',
  grid: false,
  pick: false,
  comparing: false,
  zoom: 'fit',
  taking: false,
};
const note = element('div', { class: 'note', role: 'status' }, text('loading'));
let selection: { file: string; offset: number } | null = null;
let last: PreviewState | undefined;
let isEditable = false;
let menu: Promise<ElementMenu> | undefined;
/** What `showReason` shows. */
let reason = '';

const change = (changed: Partial<Switches>) => {
  Object.assign(switches, changed);
  controls.showSwitches(switches);
};
const open = (place: PreviewLocation) => postToEditor({ type: 'open', place });
const problems = createProblemsView((list) => postToEditor({ type: 'problems', problems: list }), open);
const stage = new Stage(() => change({ zoom: stage.zoom }));
const sound = createSoundPlayer(
  (blocked) => change({ blocked }),
  (message) => problems.add('sound', { severity: 'warning', message }),
);
const playback = new Playback(stage.screens, {
  onShown: showScreen,
  onState: showState,
  onProblem: (problem) => problems.add('page', problem),
  onReload() {
    problems.set('page', []);
    problems.set('sound', []);
  },
  onLoaded: () => void missingFiles().then((missing) => problems.set('files', missing)),
  isInUse: () => textEditing.isActive || document.querySelector('.menu:popover-open') !== null,
});

const goToFrame = (frame: number) => playback.seek(frame);
const nowFrame = () => last?.frame ?? 0;
const actions: Actions = {
  togglePlay: () => (last?.playing ? playback.pause() : playback.play()),
  stepFrames(by) {
    playback.pause();
    goToFrame(nowFrame() + by);
  },
  stepSeconds(by) {
    playback.pause();
    goToFrame(nowFrame() + Math.round(by * (last?.fps ?? 30)));
  },
  toStart: () => goToFrame(last?.inFrame ?? 0),
  toEnd: () => goToFrame((last?.outFrame ?? 1) - 1),
  goTo(written) {
    const screen = playback.screen;
    const time = screen && readTime(written, screen.facts.rate, screen.duration);
    if (screen && time !== undefined) goToFrame(frameOf(screen, time));
  },
  setIn: () => playback.setRange({ inFrame: nowFrame() }),
  setOut: () => playback.setRange({ outFrame: nowFrame() + 1 }),
  clearRange: () => playback.setRange(null),
  toggleLoop() {
    playback.isLooping = !playback.isLooping;
    change({ loop: playback.isLooping });
  },
  setSpeed(speed) {
    playback.speed = speed;
  },
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
  setSize,
  toggleCompare() {
    change({ comparing: !switches.comparing });
    showSizes();
  },
  setZoom: (zoom) => stage.setZoom(zoom),
  stepZoom: (direction) => stage.stepZoom(direction),
  fullScreen() {
    // Browsers refuse it in some frames, such as those of editors.
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen().catch(() => undefined);
  },
  picture: () => void saveFrameImage(),
  toggleFonts: () => fonts.toggle(playback.screen),
};
const fonts = createFontsView();
const goToTime = (time: number) => {
  const { screen } = playback;
  if (screen) goToFrame(frameOf(screen, time));
};
const findings = createFindingsView(stage, goToTime);
const others = new OtherSizes();
const controls = createControls(actions);
const timeline = new TimelineView({
  onSeek: goToTime,
  onClip(index, reveal) {
    const clip = playback.screen?.player.clips()[index]?.element;
    if (clip) select(clip, reveal);
  },
  onKey: (event) => press(event),
  onEdit({ source }, change) {
    if (source) postToEditor({ type: 'editClip', ...source, change });
  },
});

const textEditing = new TextEditing({
  find: (found) => postToEditor({ type: 'findText', text: found }),
  change: (changed, value) => postToEditor({ type: 'changeText', text: changed, value }),
  show(element, label) {
    stage.setEditing(true);
    stage.outline(boxesOf([element]), label);
  },
  onEnd() {
    stage.setEditing(false);
    showSelection();
    endUse();
  },
  onReason: showReason,
  onKey: forwardKey,
});

/** The user has changed an element, or not. */
function endUse(): void {
  stage.root.focus();
  playback.rest();
}

/** Edits a text where it is shown. Returns false if it is not in the source. */
function editText(node: Text | undefined): boolean {
  const screen = playback.screen;
  if (!isEditable || !screen || !node) return false;
  playback.pause();
  return textEditing.start(node, screen);
}

/** Shows a popup with the parts of an element that can be changed. */
async function openMenu(found: Element | null | undefined, node: Text | undefined): Promise<void> {
  const { screen } = playback;
  if (!isEditable || !screen || !found) return;
  playback.pause();
  select(found, false);
  menu ??= (
    import(new URL('elementMenu.js', location.href).href) as Promise<typeof import('./editing/elementMenu.ts')>
  ).then(({ createElementMenu }) => createElementMenu(document.body, postToEditor, endUse));
  (await menu).open(found, node, screen);
}

function setPick(on: boolean): void {
  stage.root.classList.toggle('picking', on);
  if (!on) showSelection();
  change({ pick: on });
}

/** Selects an element of the page. `reveal`: the editor shows its source. */
function select(at: Element, reveal: boolean): void {
  const screen = playback.screen;
  const found = screen && markOf(at, screen.facts.files);
  if (!found) return;
  selection = { file: found.mark.file, offset: found.mark.start };
  // The offset is in several elements; `elementsAt` returns the innermost one.
  showSelection();
  if (reveal) postToEditor({ type: 'reveal', file: found.mark.file, offset: found.mark.start });
}

function showSelection(): void {
  const screen = playback.screen;
  if (!screen) return;
  const elements = selection ? elementsAt(screen, selection) : [];
  const [first] = elements;
  stage.outline(boxesOf(elements), first ? nameOf(first) : '');
  timeline.select(first && clipAround(first, screen.player.clips()));
}

/** The sizes in the toolbar, and next to the stage if they are compared. */
function showSizes(): void {
  const facts = playback.screen?.facts;
  if (!facts) return;
  const { sizes, width, height } = facts;
  controls.showSizes(sizes, size);
  const isOther = (one: { width: number; height: number }) => one.width !== width || one.height !== height;
  const compared = switches.comparing ? sizes.filter(isOther) : [];
  others.show(compared);
  stage.root.style.flexGrow = compared.length > 0 ? String(width / height) : '';
}

function compareSizes(): void {
  const { sizes = [] } = playback.screen?.facts ?? {};
  if (sizes.length < 2) showReason(text('noSizes'));
  else if (!switches.comparing) actions.toggleCompare();
}

function showScreen(screen: Screen): void {
  hideNote();
  textEditing.discard();
  void menu?.then(({ close }) => close());
  stage.setSize(screen.facts.width, screen.facts.height, screen.facts.video);
  showBars(screen);
  showSizes();
  const { files, rate } = screen.facts;
  timeline.setClips(clipFacts(screen.player.clips(), files), screen.duration, rate);
  showSelection();
  postToEditor({ type: 'shown', composition });
}

/** The background of the page may change from frame to frame. */
function showBars({ facts, frame }: Screen): void {
  if (facts.video) stage.setBars(facts.video.background ?? pageBackground(frame.contentDocument) ?? '#000');
}

function showState(state: PreviewState): void {
  last = state;
  controls.show(state);
  timeline.show(state);
  findings.show(state);
  others.follow({ ...state, speed: playback.speed });
  const screen = playback.screen;
  if (screen) showBars(screen);
  if (screen) sound.follow(screen.player.sounds(), { ...state, speed: playback.speed });
  if (!state.playing) showSelection();
  else stage.outline([], '');
  postToEditor({ type: 'state', state });
}

function press(event: KeyboardEvent): void {
  if (event.key === 'Escape' && switches.pick) setPick(false);
  else if (!pressKey(event, actions)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The editor accepts edits of clips. */
function setEditable(): void {
  isEditable = true;
  timeline.setEditable();
}

/** Undoes or redoes the last edit of the page. */
function undo(event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  const isField = (event.target as HTMLElement).matches('input:not([type=range]), select, textarea');
  if (!isEditable || isField || event.altKey || !(event.ctrlKey || event.metaKey) || !/^[zy]$/.test(key)) return;
  postToEditor({ type: 'undo', redo: key === 'y' || event.shiftKey });
  event.preventDefault();
}

async function saveFrameImage(): Promise<void> {
  if (switches.taking || !last) return;
  const { frame, time } = last;
  playback.pause();
  change({ taking: true });
  showNote(text('takingPicture'));
  try {
    const png = await takeFrameImage(frame);
    hideNote();
    if (isFramed) postToEditor({ type: 'picture', png, time, frame });
    else {
      const href = URL.createObjectURL(new Blob([png as Uint8Array<ArrayBuffer>], { type: 'image/png' }));
      const name = composition.replace(/^.*\/|\.html?$/g, '');
      element('a', { href, download: `${name}-${frame}.png` }).click();
      URL.revokeObjectURL(href);
    }
  } catch (error) {
    const { message } = error as Error;
    showNote(text('noPicture', message));
    postToEditor({ type: 'noPicture', message });
    setTimeout(hideNote, 6000);
  } finally {
    change({ taking: false });
  }
}

function showNote(message: string): void {
  note.textContent = message;
  note.hidden = false;
}
/** Stays for a moment, also if the page is loaded again. */
function showReason(text: string): void {
  reason = text;
  showNote(text);
  setTimeout(() => {
    if (reason !== text) return;
    reason = '';
    if (note.textContent === text) hideNote();
  }, 6000);
}
function hideNote(): void {
  note.hidden = reason === '';
  note.textContent = reason;
}

stage.root.addEventListener('click', (event) => {
  const screen = playback.screen;
  const point = stage.pointAt(event);
  if (!screen || !point || !(event.altKey || switches.pick)) return;
  const found = elementAt(screen, point);
  setPick(false);
  if (found) select(found, true);
});
stage.root.addEventListener('dblclick', (event) => {
  const screen = playback.screen;
  const point = stage.pointAt(event);
  if (screen && point && editText(textAt(screen, point))) return;
  const found = screen && point && elementAt(screen, point);
  if (found) select(found, true);
});
stage.root.addEventListener('contextmenu', (event) => {
  if (!isEditable) return;
  event.preventDefault();
  const { screen } = playback;
  // Keys that open a menu are handled below.
  const point = (event.button === 2 || event.ctrlKey) && stage.pointAt(event);
  if (screen && point) void openMenu(elementAt(screen, point), textAt(screen, point));
});
stage.root.addEventListener('pointermove', (event) => {
  const screen = playback.screen;
  if (!screen || !(switches.pick || event.altKey)) return;
  const point = stage.pointAt(event);
  const found = point && markOf(elementAt(screen, point), screen.facts.files);
  stage.outline(found ? boxesOf([found.element]) : [], found ? nameOf(found.element) : '');
});
if (!isPart) document.addEventListener('keydown', press);
document.addEventListener('keydown', undo);
document.addEventListener('keydown', (event) => {
  const screen = playback.screen;
  const [selected] = screen && selection ? elementsAt(screen, selection) : [];
  if (!selected) return;
  const isMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
  if (isMenuKey) void openMenu(selected, textIn(selected));
  if (isMenuKey || (event.key === 'F2' && editText(textIn(selected)))) event.preventDefault();
});
document.addEventListener('keydown', (event) => forwardKey(event, isPart));
document.addEventListener('visibilitychange', () => document.hidden && playback.pause());

stage.root.append(note);
document.body.append(
  element('main', {}, stage.root, others.root, findings.root, problems.root),
  controls.root,
  timeline.root,
  fonts.root,
);
document.title = `Preview ${composition}`;
document.body.classList.toggle('part', isPart);
if (isPart) playback.isLooping = false;
if (isMuted) actions.toggleMute();
change({});

listenToEditor((message) => {
  if (message.type === 'theme') {
    setTheme(message);
    others.dressAll();
  } else if (message.type === 'strings') {
    setTexts(message.texts);
    others.dressAll(message.texts);
  } else if (message.type === 'play') playback.play();
  else if (message.type === 'playOnce') playback.playOnce();
  else if (message.type === 'pause') playback.pause();
  else if (message.type === 'speed') playback.speed = message.speed;
  else if (message.type === 'takePicture') void saveFrameImage();
  else if (message.type === 'pick') setPick(message.on);
  else if (message.type === 'editable') setEditable();
  else if (message.type === 'foundText') textEditing.found(message.found);
  else if (message.type === 'foundParts') void menu?.then(({ found }) => found(message.parts, message.texts));
  else if (message.type === 'textEdited') {
    textEditing.edited(message.reason);
    void menu?.then(({ edited }) => edited(message.reason));
  } else if (message.type === 'edited') timeline.edited(message.reason);
  else if (message.type === 'undone') showReason(message.text);
  else if (message.type === 'seek') goToTime(message.time);
  else if (message.type === 'compareSizes') compareSizes();
  else if (message.type === 'findings') findings.set(message);
  else if (message.type === 'select') {
    selection = message.at;
    showSelection();
  }
});
if (!isFramed) followSystemTheme();
postToEditor({ type: 'loaded' });

/** The size and its version that are loaded. */
let loaded = '';
void followStatus(
  (status) => {
    problems.set('project', status.problems);
    if (status.version === 0 || playback.screen) hideNote();
    const now = `${size} ${status.version}`;
    if (now !== loaded && status.version > 0) playback.reload();
    loaded = now;
  },
  () => showNote(text('lost')),
);
