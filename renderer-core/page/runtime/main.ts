// Entry point of the script that runs before all other scripts of a composition's page. Creates window.__framework.

import './leaveNoElement.ts';
import { pinFonts } from './fonts/pinFonts.ts';
import { replaceLocale } from './localTime.ts';
import { hideProduct } from './ownPage.ts';
import { loadSheets } from './ownSheets.ts';
import type { PageConfig } from './page.ts';
import { createPlayer } from './player.ts';
import { followTopLayer } from './topLayer.ts';

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
  Object.assign(player, followTopLayer(player), config.pinsFonts ? pinFonts(page) : {});
}
