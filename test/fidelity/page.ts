// A page of the corpus, and the HTML around its body.

/** A page for one feature. Default: 0.5 seconds, 480 by 270 pixels. */
export type FidelityPage = {
  name: string;
  /** Files of the project; `index.html` is the composition. */
  files: Record<string, string | Uint8Array>;
  /** The capture path that `auto` selects. Pages that cannot be painted correctly use screenshots. */
  path: 'paint' | 'screenshot';
  /** Minimum dB between a captured frame and the browser's screenshot. At 40 dB, differences are hard to see. */
  threshold: number;
  /** Uses a browser of its own. */
  ownBrowser?: boolean;
};

type Options = {
  head?: string;
  files?: Record<string, string | Uint8Array>;
  width?: number;
  height?: number;
  duration?: number;
  path?: FidelityPage['path'];
  threshold?: number;
  ownBrowser?: boolean;
  /** Background of the page. */
  background?: string;
};

/** A page with `body`, and with `css` in its head. */
export function page(name: string, css: string, body: string, options: Options = {}): FidelityPage {
  const { head = '', files = {}, width = 480, height = 270, duration = 0.5, background = '#f4f1ea' } = options;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${head}<style>
html, body { margin: 0; background: ${background}; font: 20px/1.3 sans-serif; color: #222; }
#root { position: relative; width: ${width}px; height: ${height}px; overflow: hidden; }
${css}
</style></head><body>
<div id="root" data-composition-id="main" data-width="${width}" data-height="${height}" data-duration="${duration}">
${body}
</div></body></html>`;
  return {
    name,
    files: { 'index.html': html, ...files },
    path: options.path ?? 'paint',
    threshold: options.threshold ?? 40,
    ...(options.ownBrowser ? { ownBrowser: true } : {}),
  };
}

/** `n` elements with a class, with their index in `--i`. */
export const many = (n: number, className: string, content = ''): string =>
  Array.from({ length: n }, (_, i) => `<div class="${className}" style="--i:${i}">${content}</div>`).join('');
