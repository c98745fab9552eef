// The features of the composition in the capture page. Runs there.
import type {
  CapturedPage,
  CaptureHooks,
  CapturePart,
  Replacement,
  Underlay,
} from '../../page/features/capturePart.ts';
import { captureParts } from '../../page/features/captureParts.ts';
import type { PageResults } from '../../page/runtime/page.ts';
import { options, player, toFrame } from './stage.ts';

/** By name. */
export let features: Readonly<Record<string, CaptureHooks>> = {};

export const hooksOf = (): readonly CaptureHooks[] => Object.values(features);

/** Asks each feature whether the page needs it. */
export async function beginFeatures(window: Window & typeof globalThis): Promise<void> {
  const { handles } = player();
  const begun: Record<string, CaptureHooks> = {};
  for (const [name, part] of Object.entries(captureParts)) {
    if (!options.canvas && !part.inAllPages) continue;
    const page = { window, frame: options, isHdr: options.hdr, toFrame };
    const isOff = options.featuresOff.includes(name);
    const hooks = isOff ? withoutPart(name, part, page) : await part.begin(page, handles[name]);
    if (hooks) begun[name] = hooks;
  }
  features = begun;
}

/** A page that needs a feature which is switched off cannot be painted. */
function withoutPart(name: string, part: CapturePart, page: CapturedPage): CaptureHooks | undefined {
  return part.isNeeded?.(page) ? { obstacle: () => `the feature ${name} is switched off` } : undefined;
}

export let usesUnderlay = false;

/** Leaves what fills the frame below everything else out of the page, if it `isPossible` and there is anything. */
export function useUnderlay(isPossible = true): boolean {
  usesUnderlay = isPossible && hooksOf().some((hooks) => hooks.useUnderlay?.() === true);
  return usesUnderlay;
}

/** What is left out of the current frame; null if the page shows everything. */
export function currentUnderlay(): Underlay | null {
  for (const { underlay } of hooksOf()) {
    const found = underlay?.() ?? null;
    if (found) return found;
  }
  return null;
}

/** What is replaced while the current frame is drawn. */
export async function replacements(isSample: boolean): Promise<Replacement[]> {
  const found = await Promise.all(hooksOf().map(({ replace }) => replace?.(isSample)));
  return found.filter((one) => one !== undefined);
}

/** Why the browser cannot paint the page as it is now; null if it can. */
export function pageObstacle(): string | null {
  for (const { obstacle } of hooksOf()) {
    const found = obstacle?.() ?? null;
    if (found !== null) return found;
  }
  return null;
}

/** What the features know when the frames of the page have been captured. */
export async function resultsOfFeatures(): Promise<Pick<PageResults, 'faces' | 'missing' | 'limits'>> {
  const found = await Promise.all(hooksOf().map(({ results }) => results?.()));
  return {
    faces: found.flatMap((one) => one?.faces ?? []),
    missing: found.flatMap((one) => one?.missing ?? []),
    limits: found.flatMap((one) => one?.limits ?? []),
  };
}
