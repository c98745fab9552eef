// All texts of the preview page in English. An editor can send translations.

export const previewTexts = {
  play: 'Play',
  pause: 'Pause',
  previousFrame: 'Previous frame',
  nextFrame: 'Next frame',
  toStart: 'Go to the start',
  toEnd: 'Go to the end',
  time: 'Time',
  frame: 'Frame',
  of: 'of {0}',
  loop: 'Loop',
  setIn: 'Set loop start',
  setOut: 'Set loop end',
  clearRange: 'Play everything',
  speed: 'Speed',
  sound: 'Sound',
  mute: 'Mute',
  unmute: 'Unmute',
  volume: 'Volume',
  soundBlocked: 'Click the frame to enable sound.',
  zoom: 'Zoom',
  fit: 'Fit',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  size: 'Size of the composition',
  videoSize: 'Video size',
  compareSizes: 'Compare sizes',
  noSizes: 'This composition has only one size. List its sizes in data-sizes on its root.',
  guides: 'Guides',
  noGuides: 'No guides',
  safeAreas: 'Safe areas (90 %, 80 %)',
  grid: 'Transparency grid',
  pick: 'Pick an element to show its source',
  fullScreen: 'Full screen',
  picture: 'Save frame as image',
  takingPicture: 'Saving the frame…',
  timeline: 'Timeline',
  playhead: 'Playhead',
  expand: 'Show nested clips',
  collapse: 'Hide nested clips',
  sdr: 'The preview shows HDR footage in SDR. An HDR video keeps its light.',
  nearly: 'Approximate: scripts may show something else while you scrub. Stop here to see the exact frame.',
  loading: 'Loading…',
  problems: '{0} problems',
  oneProblem: '1 problem',
  hideProblems: 'Hide',
  findings: '{0} findings',
  oneFinding: '1 finding',
  stage: 'Preview of the composition',
  lost: 'The preview server has stopped. Start the preview again.',
  fonts: 'Fonts of the text',
  pinnedFont: 'included',
  substitute: 'shown in {0}',
  projectFont: 'fonts of the project',
  compositionFont: 'composition',
  systemFonts: 'The fonts of this machine. Text may differ on other machines.',
  noPicture: 'Cannot save the frame: {0}',
  tracks: 'Tracks',
  track: 'track {0}',
  newTrack: 'New track',
  scriptClip: 'A script creates this clip. Change the script to move it.',
  variable: 'variable {0}',
  editLine: 'Enter: apply, Escape: cancel',
  editLines: 'Enter: apply, Shift+Enter: new line, Escape: cancel',
  svgText: 'Text in a drawing (SVG) can only be edited in the source.',
} as const;

export type TextKey = keyof typeof previewTexts;

let texts: Record<string, string> = { ...previewTexts };
const shown: (() => void)[] = [];

/** The text of `key`. `{0}` is replaced with the first value. */
export function text(key: TextKey, ...values: (string | number)[]): string {
  return (texts[key] ?? previewTexts[key]).replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}

/** Calls `show` now and whenever the language changes. */
export function whenTexts(show: () => void): void {
  shown.push(show);
  show();
}

export function setTexts(given: Record<string, string>): void {
  texts = { ...previewTexts, ...given };
  for (const show of shown) show();
}
