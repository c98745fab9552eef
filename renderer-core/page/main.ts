// Entry point of the script that runs before all other scripts of a composition's page. Creates window.__framework.

import './runtime/leaveNoElement.ts';
import { pageParts } from './features/pageParts.ts';
import { hideProduct } from './runtime/ownPage.ts';
import { loadSheets } from './runtime/ownSheets.ts';
import type { PageConfig } from './runtime/page.ts';
import { createPlayer } from './runtime/player.ts';
import { replaceLocale } from './runtime/time/localTime.ts';

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
  const isOff = (name: string) => config.featuresOff?.includes(name) === true;
  const parts = Object.fromEntries(Object.entries(pageParts).filter(([name]) => !isOff(name)));
  createPlayer(page, config, parts);
}
