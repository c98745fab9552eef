// A webview's page in a real browser, with its script and styles, the editor's default styles, and a theme's colors.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page, SerializedAXNode } from 'puppeteer-core';
import themes from '../../fixtures/themes.json' with { type: 'json' };

export type ThemeKind = keyof typeof themes;
export const themeKinds = Object.keys(themes) as ThemeKind[];
export const themeVariables = (kind: ThemeKind): Record<string, string> => themes[kind];

/** The default styles of VS Code 1.109 for webviews, as far as they concern controls. */
const editorStyles = `@layer vscode-default {
  body { background-color: transparent; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
}`;

export type WebviewPage = {
  page: Page;
  /** The messages that the script has posted to the editor. */
  posted(): Promise<unknown[]>;
  /** Posts a message like the extension. */
  post(message: unknown): Promise<void>;
};

export type WebviewLook = { theme?: ThemeKind; width?: number; height?: number; background?: string };

/** `name`: the file `client/webview/<name>.ts`. */
export async function openWebview(browser: Browser, name: string, look: WebviewLook = {}): Promise<WebviewPage> {
  const { theme = 'dark', width = 340, height = 900, background = '--vscode-sideBar-background' } = look;
  const { script, style } = await built(name);
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  await page.setContent(`<!doctype html><html lang="en"><head><title>${name}</title></head><body></body></html>`);
  await page.evaluate(
    (variables: Record<string, string>, classes: string, behind: string) => {
      for (const [key, value] of Object.entries(variables)) document.documentElement.style.setProperty(key, value);
      document.documentElement.style.background = `var(${behind})`;
      document.body.className = classes;
      const posted: unknown[] = [];
      Object.assign(globalThis, {
        posted,
        acquireVsCodeApi: () => ({
          postMessage: (message: unknown) => posted.push(message),
          setState: () => undefined,
        }),
      });
    },
    themes[theme] as Record<string, string>,
    classesOf[theme],
    background,
  );
  for (const content of [editorStyles, style]) await page.addStyleTag({ content });
  await page.addScriptTag({ content: script });
  return {
    page,
    posted: () => page.evaluate(() => (globalThis as unknown as { posted: unknown[] }).posted),
    post: (message) =>
      page.evaluate(async (data) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
        await new Promise((done) => requestAnimationFrame(done));
      }, message),
  };
}

/** The light high-contrast theme has both classes, as in the editor. */
const classesOf: Record<ThemeKind, string> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast-light vscode-high-contrast',
};

async function built(name: string): Promise<{ script: string; style: string }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../../client/webview/${name}.ts`, import.meta.url))],
    outdir: 'webview',
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

/** Roles of interactive controls. */
const controls = new Set(
  'button checkbox combobox listbox menuitem option radio searchbox slider spinbutton switch textbox tab treeitem link ColorWell'.split(
    ' ',
  ),
);

/** The accessibility tree: `role: name` of each control, in order. */
export async function controlsOf(page: Page): Promise<string[]> {
  const root = await page.accessibility.snapshot({ interestingOnly: true });
  const visit = (node: SerializedAXNode): string[] => [
    ...(controls.has(node.role) ? [`${node.role}: ${node.name ?? ''}`] : []),
    ...(node.children ?? []).flatMap(visit),
  ];
  return root ? visit(root) : [];
}

/** The focus order with Tab: tag and name of each control until it starts again. */
export async function tabOrder(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (let count = 0; count < 60; count++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(focused);
    if (at === '' || found[0] === at) break;
    found.push(at);
  }
  return found;
}

function focused(): string {
  const one = document.activeElement as HTMLElement | null;
  if (!one || one === document.body) return '';
  const label = one.closest('label') ?? document.getElementById(one.getAttribute('aria-labelledby') ?? '');
  const name = one.ariaLabel ?? label?.textContent ?? one.textContent ?? '';
  // The focus ring can be on an element around a hidden input.
  const shows = [one, one.parentElement].some((each) => each && getComputedStyle(each).outlineStyle !== 'none');
  return `${one.tagName.toLowerCase()} ${name}${shows ? '' : ' (focus not visible)'}`;
}

/** Texts whose contrast with their background is below the 4.5 of WCAG 2.2 (1.4.3): `text: ratio`. */
export function faint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (!canvas) return ['no canvas'];
    /** The browser converts colors, because they have many notations. */
    const layers = (colors: string[]): number[] => {
      canvas.clearRect(0, 0, 1, 1);
      for (const color of colors) {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (rgb: number[]): number => {
      const [r = 0, g = 0, b = 0] = rgb.map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const [text, parent] = [node.textContent?.trim() ?? '', node.parentElement];
      if (text === '' || !parent?.checkVisibility() || parent.closest(':disabled, script, style, .read')) continue;
      const behind: string[] = [];
      for (let one: Element | null = parent; one; one = one.parentElement)
        behind.unshift(getComputedStyle(one).backgroundColor);
      const [back, front] = [light(layers(behind)), light(layers([...behind, getComputedStyle(parent).color]))];
      const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
      if (ratio < 4.5) found.push(`${text}: ${ratio.toFixed(1)}`);
    }
    return found;
  });
}
