// Chooses whether a browser draws with the machine's graphics card or in software.
import { existsSync, readdirSync } from 'node:fs';
import type { Browser } from 'puppeteer-core';

/** `auto`: the card draws pages with WebGL, if there is one; software draws all other pages. */
export const gpuChoices = ['auto', 'on', 'off'] as const;
export type GpuChoice = (typeof gpuChoices)[number];

/** What draws: nothing but the browser's 2D software, which has no WebGL; software with WebGL; or the graphics card. */
export type Graphics = 'plain' | 'software' | 'card';

/** What to try, in this order. The next one is for machines whose browser cannot use a card. */
export function graphicsToTry(gpu: GpuChoice, in3d: boolean, mayHaveCard: boolean): Graphics[] {
  if (gpu === 'on') return ['card'];
  if (!in3d) return ['plain'];
  return gpu === 'auto' && mayHaveCard ? ['card', 'software'] : ['software'];
}

/** Chrome's translation of WebGL to the system's graphics interface. */
const angleBySystem: Partial<Record<NodeJS.Platform, string>> = { darwin: 'metal', win32: 'd3d11', linux: 'vulkan' };

/** Command-line switches. All pages without WebGL become a sixth slower with software WebGL. */
export function graphicsSwitches(graphics: Graphics, platform: NodeJS.Platform): string[] {
  if (graphics === 'plain') return ['--disable-gpu'];
  if (graphics === 'software')
    return ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];
  const angle = angleBySystem[platform] ?? 'default';
  const vulkan = angle === 'vulkan' ? ['--enable-features=Vulkan', '--disable-vulkan-surface'] : [];
  return ['--enable-gpu', '--ignore-gpu-blocklist', '--use-gl=angle', `--use-angle=${angle}`, ...vulkan];
}

/** Starting a browser only to find no card takes half a second, so machines that cannot have one are excluded first. */
export function mayHaveCard(): boolean {
  if (process.platform !== 'linux') return true;
  if (existsSync('/dev/nvidiactl') || existsSync('/dev/dxg')) return true;
  return existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'));
}

/** The name of the graphics card that draws in `browser`; null if it draws in software. */
export async function graphicsCard(browser: Browser): Promise<string | null> {
  const session = await browser.target().createCDPSession();
  try {
    const { gpu } = await session.send('SystemInfo.getInfo');
    const { gpu_compositing: compositing = 'disabled' } = (gpu.featureStatus ?? {}) as Record<string, string>;
    if (/^(disabled|unavailable)/.test(compositing)) return null;
    const { glRenderer = '' } = (gpu.auxAttributes ?? {}) as { glRenderer?: string };
    return cardName(glRenderer);
  } finally {
    // The browser may have ended.
    await session.detach().catch(() => undefined);
  }
}

/** `renderer` is Chrome's name for what draws. */
export const cardName = (renderer: string): string | null =>
  /swiftshader|llvmpipe|softpipe|basic render/i.test(renderer) ? null : renderer || 'unknown';
