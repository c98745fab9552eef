/** VS Code plays MP4 and WebM and shows animated GIFs. It cannot play MOV (ProRes). */
export function opensInEditor(output: string): boolean {
  return /\.(?:mp4|webm|gif)$/i.test(output);
}

/** A folder of frames has no extension. Its first frame can be opened. */
export function canOpen(output: string): boolean {
  return opensInEditor(output) || !/\.\w+$/.test(output);
}
