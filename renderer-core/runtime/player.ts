// Puts the runtime together: what a page's scripts see as window.__framework, and what capture and preview drive.

import { createAnimatedImages } from './animatedImages.ts';
import { installAnimations } from './animations.ts';
import { createAnimeAdapter } from './animeAdapter.ts';
import { watchAssets } from './assets.ts';
import { observeBindings } from './bindings.ts';
import { watchCanvases } from './canvases.ts';
import { createClips } from './clips.ts';
import { installClock } from './clock.ts';
import type { Player } from './control.ts';
import { watchCssImages } from './cssImages.ts';
import { createDotLottieAdapter } from './dotLottieAdapter.ts';
import { createGradings } from './grading.ts';
import { createLottieAdapter } from './lottieAdapter.ts';
import { createMedia } from './media.ts';
import { hiddenAttribute, type PageConfig, topInstance } from './page.ts';
import { paintObstacle } from './paintObstacle.ts';
import { mayBeDrawnInParts } from './partsDrawing.ts';
import { createPlayers } from './players.ts';
import { installRandom } from './random.ts';
import { watchReadiness } from './readiness.ts';
import { createScopes } from './scope.ts';
import { addStyle } from './styles.ts';
import { createTimelines } from './timelines.ts';

/**
 * Hides clips outside their time (in a layer, where `!important` wins over the author's); and gives each canvas a transform node of its own, without which Chrome clips a nested
 * canvas at the wrong place when it draws an element into a canvas.
 */
const runtimeCss = `[${hiddenAttribute}],[${hiddenAttribute}] *{visibility:hidden!important}:where(canvas){translate:0 0}`;

export function createPlayer(window: Window & typeof globalThis, config: PageConfig): Player {
  const { document } = window;
  const assets = watchAssets(window);
  const readiness = watchReadiness(window, assets);
  const media = createMedia(window);
  const clock = installClock(window, config.epochMs);
  installRandom(window, config.seed);
  const animations = installAnimations(window, clock.now);
  const canvases = watchCanvases(window);
  const clips = createClips(document, media.naturalDuration);
  const animatedImages = createAnimatedImages(document, clips);
  const cssImages = watchCssImages(document);
  const players = createPlayers([
    createAnimeAdapter(window, clips),
    createLottieAdapter(window, clips),
    createDotLottieAdapter(window, clips),
  ]);
  const scopes = createScopes(window, config.instances, players.claim);
  const bindings = observeBindings(document, scopes);
  const timelines = createTimelines(document, scopes, clips);
  const gradings = createGradings(window, scopes);
  addStyle(document, runtimeCss);
  const startOf = (element: Element) => clips.startOf(element) * 1000;
  let work: Promise<void> | undefined;
  let videoChanged = false;
  let hadEvents = false;

  const move = async (seconds: number, passing: boolean): Promise<void> => {
    // What the last moment's promises do still belongs to it.
    await clock.breathe();
    animations.adopt(startOf);
    await clock.advance(seconds * 1000);
    const toggled = clips.show(seconds);
    timelines.seek(seconds);
    players.advance(seconds * 1000);
    const hasEvents = animations.seek(seconds * 1000, startOf, toggled);
    gradings.apply();
    if (hasEvents) {
      hadEvents = true;
      await clock.rendering();
      // What the events have set off begins now, and must not run on by itself until the next moment.
      animations.seek(seconds * 1000, startOf, []);
      gradings.apply();
    }
    if (await media.adopt()) clips.read();
    media.listen(seconds);
    if (!passing) videoChanged = await media.show(seconds, clips);
  };

  const player: Player = {
    async ready(openMedia, forgive) {
      const settled = readiness.settled(clock.runDue, players.isLoading);
      await (forgive ? settled.catch(forgive) : settled);
      bindings.apply();
      bindings.stop();
      await media.open(openMedia);
      clips.read();
      timelines.prepare();
      players.begin();
      gradings.apply();
    },
    seek(seconds, passing = false) {
      work = work ? work.then(() => move(seconds, passing)) : move(seconds, passing);
      // Whoever waits in `settle` sees the failure; until then it must not count as unhandled.
      work.catch(() => undefined);
    },
    async settle() {
      await work;
      await assets.pending();
      await Promise.all([animatedImages.show(clock.now()), cssImages.pending()]);
    },
    arrived: media.arrived,
    naturalDuration() {
      const end = Math.max(timelines.end(), clips.end(), players.end() / 1000);
      return end > 0 ? end : null;
    },
    clips: clips.all,
    dependsOnWay: () => hadEvents || clock.runs() || timelines.any(),
    sounds: () => media.sounds(clips),
    useGround: media.useGround,
    ground: media.ground,
    rendersOnPaint: () => canvases.renderOnPaint() && !videoChanged && !media.runsFree(),
    paintObstacle: () => paintObstacle(window),
    mayBeDrawnInParts: () => mayBeDrawnInParts(window),
    lacksWebGl: canvases.lackWebGl,
    warnings: gradings.warnings,
  };

  // __timelines exists before any script, so that `window.__timelines[id] = …` works without a guard.
  Object.assign(window, { __timelines: (window as { __timelines?: object }).__timelines ?? {} });
  Object.defineProperty(window, '__framework', {
    value: Object.freeze({ getVariables: () => scopes.values(topInstance), scope: scopes.run }),
    enumerable: true,
    configurable: true,
  });
  Object.defineProperty(window, Symbol.for('framework.player'), { value: player });
  return player;
}
