// Connects the parts of the runtime. Page scripts use window.__framework; capture and preview use the Player.

import { observeBindings } from './bindings.ts';
import { createClips } from './clipVisibility.ts';
import type { Player } from './control.ts';
import { observeHandlers } from './mounts/handlers.ts';
import { createHostValues } from './mounts/hostValues.ts';
import { createMountScopes } from './mounts/mountScopes.ts';
import { hiddenAttribute, mountFunction, type PageConfig, topInstance } from './page.ts';
import type { Kernel, PageHooks, PageParts } from './pagePart.ts';
import { createScopes, type MountConnection } from './scope.ts';
import { createFrames } from './skippedDrawings.ts';
import { keepForms, stayOnPage } from './stayOnPage.ts';
import { addStyle } from './styles.ts';
import { installAnimations } from './time/animations.ts';
import { installClock } from './time/clock.ts';
import { createLibraryPlayers } from './time/libraryPlayers.ts';
import { installRandom } from './time/random.ts';
import { createTimelines } from './time/timelines.ts';
import { watchAssets } from './waiting/assetLoader.ts';
import { watchReadiness } from './waiting/readiness.ts';
import { watchStartedWork } from './waiting/startedWork.ts';

/**
 * Hides clips outside their time. Also gives each canvas its own transform node: without one, Chrome clips a nested canvas
 * at the wrong position when it draws an element into a canvas.
 */
const runtimeCss = `[${hiddenAttribute}],[${hiddenAttribute}] *{visibility:hidden!important}:where(canvas){translate:0 0}`;

/** `parts`: what features do in the page. */
export function createPlayer(window: Window & typeof globalThis, config: PageConfig, parts: PageParts): Player {
  const { document } = window;
  stayOnPage(window);
  keepForms(window);
  const assets = watchAssets(window);
  const started = watchStartedWork(window);
  const readiness = watchReadiness(window, assets, started);
  const own = { setTimeout: window.setTimeout.bind(window) as typeof setTimeout };
  const clock = installClock(window, config.epochMs, started);
  installRandom(window, config.seed);
  const animations = installAnimations(window, clock.now);
  let features: readonly PageHooks[] = [];
  const clips = createClips(document, config.fps, (element) =>
    firstOf(features, ({ naturalDuration }) => naturalDuration?.(element)),
  );
  const scopes = createScopes(window, config.instances);
  const { frames, follow } = createFrames();
  const handles: Record<string, unknown> = {};
  const now = () => clock.now() / 1000;
  features = installParts(parts, { config, window, clips, assets, own, now, scopes, frames, handles }, handles);
  const players = createLibraryPlayers(features.flatMap(({ adapter }) => adapter ?? []));
  const bindings = observeBindings(document, scopes);
  const timelines = createTimelines(document, scopes, clips, (registered) =>
    firstOf(features, ({ timelineOf }) => timelineOf?.(registered)),
  );
  const apply = (): void => {
    for (const hooks of features) hooks.apply?.();
  };
  addStyle(document, runtimeCss);
  const startOf = (element: Element) => clips.startOf(element) * 1000;
  let work: Promise<void> | undefined;
  let isPassing = false;
  let hadEvents = false;

  const move = async (seconds: number, passing: boolean): Promise<void> => {
    // Reactions to promises of the previous time must run before the time changes.
    await clock.yieldToEventLoop();
    await clock.complete();
    animations.adopt(startOf);
    await clock.advance(seconds * 1000);
    const toggled = clips.show(seconds);
    timelines.seek(seconds);
    players.advance(seconds * 1000);
    const hasEvents = animations.seek(seconds * 1000, startOf, toggled);
    apply();
    if (hasEvents) {
      hadEvents = true;
      await clock.rendering();
    }
    const hasCompleted = await clock.complete();
    if (hasEvents || hasCompleted) {
      // Animations that this code has started begin now, and must not run in real time until the next seek.
      animations.seek(seconds * 1000, startOf, []);
      apply();
    }
    const adopted = await Promise.all(features.map((hooks) => hooks.adopt?.()));
    if (adopted.includes(true)) clips.read();
    // Scripts that copy videos see the frame of the seek before.
    await Promise.all(features.map((hooks) => hooks.show?.(seconds, passing)));
    isPassing = passing;
  };

  const connection: MountConnection = {
    scopes,
    instances: config.instances,
    runIn: (mount, code) => runInAll(features, mount, code),
    claim: players.claim,
    show: bindings.rebind,
  };
  const player: Player = {
    async ready(openMedia, forgive) {
      const settled = readiness.settled(clock.runDue, players.isLoading);
      await (forgive ? settled.catch(forgive) : settled);
      connection.hostValues?.settleAll();
      bindings.update();
      await Promise.all(features.map((hooks) => hooks.open?.(openMedia)));
      clips.read();
      players.begin();
      for (const hooks of features) hooks.begin?.();
    },
    seek(seconds, passing = false) {
      work = work ? work.then(() => move(seconds, passing)) : move(seconds, passing);
      // `settle` reports the failure; until it is called, the rejection must not count as unhandled.
      work.catch(() => undefined);
    },
    async settle() {
      await work;
      await Promise.all([assets.pending(), ...features.map((hooks) => hooks.pending?.())]);
      if (isPassing) return;
      await Promise.all(features.map((hooks) => hooks.settle?.(clock.now())));
    },
    arrived: async () => undefined,
    naturalDuration() {
      const end = Math.max(timelines.end(), clips.end(), players.end() / 1000);
      return end > 0 ? end : null;
    },
    endless: timelines.endless,
    clips: clips.all,
    postsWithoutEnd: clock.postsWithoutEnd,
    handles,
    dependsOnWay: () => hadEvents || clock.runs() || timelines.any(),
    sounds: () => [],
    captions: () => [],
    rendersOnPaint: () => true,
    missing: () => ({}),
    warnings: () => features.flatMap(({ warnings }) => warnings?.() ?? []),
    valueProblems: () => connection.hostValues?.problems() ?? [],
  };

  Object.assign(player, follow(player));
  for (const { override } of features) Object.assign(player, override?.(player));

  // __timelines exists before any script, so that `window.__timelines[id] = …` works without a guard.
  Object.assign(window, { __timelines: (window as { __timelines?: object }).__timelines ?? {} });
  Object.defineProperty(window, '__framework', {
    value: Object.freeze({ getVariables: () => scopes.values(topInstance) }),
    enumerable: true,
    configurable: true,
  });
  if (config.instances.length > 1) installMounts(window, connection);
  Object.defineProperty(window, Symbol.for('framework.player'), { value: player });
  return player;
}

/** Installs the parts, and adds what they offer to `handles`. */
function installParts(parts: PageParts, kernel: Kernel, handles: Record<string, unknown>): PageHooks[] {
  return Object.entries(parts).map(([name, part]) => {
    const hooks = part.install(kernel);
    if (hooks.handle !== undefined) handles[name] = hooks.handle;
    return hooks;
  });
}

/** Runs code of a mount inside of what all features do around it. */
function runInAll<Result>(features: readonly PageHooks[], mount: Element | null, code: () => Result): Result {
  if (!mount) return code();
  return features.reduce((inner, { runIn }) => (runIn ? () => runIn(mount, inner) : inner), code)();
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What pages with embedded files need. */
function installMounts(window: Window & typeof globalThis, connection: MountConnection): void {
  connection.hostValues = createHostValues(window.document, connection.instances, connection.show);
  const scopes = createMountScopes(window, connection);
  observeHandlers(window, scopes);
  Object.defineProperty(window, mountFunction, { value: scopes.run });
}
