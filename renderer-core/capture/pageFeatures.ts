// The features of the composition in the capture page. Runs there.
import type { CaptureHooks } from '../page/features/capturePart.ts';
import { captureParts } from '../page/features/captureParts.ts';
import { options, player, toFrame } from './stage.ts';

/** By name. Only of a composition that is painted. */
export let features: Readonly<Record<string, CaptureHooks>> = {};

export const hooksOf = (): readonly CaptureHooks[] => Object.values(features);

/** Asks each feature whether the page needs it. */
export async function beginFeatures(window: Window & typeof globalThis): Promise<void> {
  const { handles } = player();
  const begun: Record<string, CaptureHooks> = {};
  for (const [name, part] of Object.entries(captureParts)) {
    const hooks = await part.begin({ window, frame: options, toFrame }, handles[name]);
    if (hooks) begun[name] = hooks;
  }
  features = begun;
}

export function endFeatures(): void {
  features = {};
}

/** Why the browser cannot paint the page as it is now; null if it can. */
export function pageObstacle(): string | null {
  for (const { obstacle } of hooksOf()) {
    const found = obstacle?.() ?? null;
    if (found !== null) return found;
  }
  return null;
}
