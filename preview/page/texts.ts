// Every sentence of the preview's page, in English; an editor sends its own over them.

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
  setIn: 'Start of the loop here',
  setOut: 'End of the loop here',
  clearRange: 'Play everything',
  speed: 'Speed',
  sound: 'Sound',
  mute: 'Mute',
  unmute: 'Sound on',
  volume: 'Volume',
  soundBlocked: 'Click the picture to hear the sound.',
  zoom: 'Zoom',
  fit: 'Fit',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  guides: 'Guides',
  noGuides: 'No guides',
  safeAreas: 'Safe areas (90 %, 80 %)',
  grid: 'Transparency grid',
  pick: 'Pick an element: shows where it is written',
  fullScreen: 'Full screen',
  picture: 'Save this frame as a picture',
  takingPicture: 'Taking the picture…',
  timeline: 'Timeline',
  playhead: 'Playhead',
  expand: 'Show what is inside',
  collapse: 'Hide what is inside',
  nearly: 'While you scrub, what scripts make may be nearly right. Rest here to see it exactly.',
  loading: 'Loading…',
  problems: '{0} problems',
  oneProblem: '1 problem',
  hideProblems: 'Hide',
  stage: 'Preview of the composition',
  lost: 'The preview has ended. Start it again.',
  noPicture: 'The picture could not be taken: {0}',
  tracks: 'Tracks',
} as const;

export type TextKey = keyof typeof previewTexts;

let texts: Record<string, string> = { ...previewTexts };
const shown: (() => void)[] = [];

/** The text of `key`; `{0}` in it stands for the first value. */
export function text(key: TextKey, ...values: (string | number)[]): string {
  return (texts[key] ?? previewTexts[key]).replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}

/** Runs `show` now and whenever the language changes. */
export function whenTexts(show: () => void): void {
  shown.push(show);
  show();
}

export function setTexts(given: Record<string, string>): void {
  texts = { ...previewTexts, ...given };
  for (const show of shown) show();
}
