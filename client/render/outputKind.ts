// Which outputs the editor can show by itself.

/** VS Code plays MP4 and WebM, and shows GIF as a picture that moves; nothing in it plays ProRes. */
export function opensInside(output: string): boolean {
  return /\.(?:mp4|webm|gif)$/i.test(output);
}

/** A folder of frames has no extension: its first one can be shown. */
export function canOpen(output: string): boolean {
  return opensInside(output) || !/\.\w+$/.test(output);
}
