// Which files of a project a preview depends on.

/** Texts that are typed: what is not saved of them is shown too. */
export function isTyped(path: string): boolean {
  return /\.(?:html?|css|[cm]?js|svg|json|txt|vtt|srt|glsl)$/i.test(path);
}

/** A file that a composition may show. Folders of tools, and the videos that renders make, are none. */
export function isShown(path: string): boolean {
  return !/(?:^|\/)(?:\.[^/]*|node_modules)(?:\/|$)|^renders\//.test(path) && /\.[a-z0-9]+$/i.test(path);
}
