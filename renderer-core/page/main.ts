// Entry point of the script that runs before all other scripts of a composition's page. Creates window.__framework.

import './runtime/leaveNoElement.ts';
import { pageParts } from './features/pageParts.ts';
import { pinFonts } from './runtime/fonts/pinFonts.ts';
import { replaceLocale } from './runtime/localTime.ts';
import { hideProduct } from './runtime/ownPage.ts';
import { loadSheets } from './runtime/ownSheets.ts';
import type { PageConfig } from './runtime/page.ts';
import { createPlayer } from './runtime/player.ts';
import { followFrames } from './runtime/skippedDrawings.ts';

declare global {
  interface Window {
    __frameworkConfig?: PageConfig;
  }
}

const config = window.__frameworkConfig;
if (config) {
  delete window.__frameworkConfig;
  const page = window as Window & typeof globalThis;
  if (config.environment) replaceLocale(page, config.environment);
  hideProduct(page);
  loadSheets(document, config.sheets);
  const player = createPlayer(page, config);
  const frames = followFrames(player);
  const handles: Record<string, unknown> = { ...player.handles };
  for (const [name, part] of Object.entries(pageParts)) {
    if (config.featuresOff?.includes(name)) continue;
    const hooks = part.install({ window: page, player, frames, handles });
    Object.assign(player, hooks.player);
    handles[name] = hooks.handle;
  }
  Object.assign(player, { handles }, config.pinsFonts ? pinFonts(page) : {});
}
