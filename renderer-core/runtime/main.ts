// Entry point of the script that runs before all other scripts of a composition's page. Creates window.__framework.

import './leaveNoElement.ts';
import { hideProduct } from './ownPage.ts';
import { loadSheets } from './ownSheets.ts';
import type { PageConfig } from './page.ts';
import { createPlayer } from './player.ts';

declare global {
  interface Window {
    __frameworkConfig?: PageConfig;
  }
}

const config = window.__frameworkConfig;
if (config) {
  delete window.__frameworkConfig;
  hideProduct(window as Window & typeof globalThis);
  loadSheets(document, config.sheets);
  createPlayer(window as Window & typeof globalThis, config);
}
