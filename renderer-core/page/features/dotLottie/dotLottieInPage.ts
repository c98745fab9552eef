// dotLottie: players created with the global class are advanced frame by frame, from the start of their canvas's clip.
import type { Clips } from '../../runtime/clipVisibility.ts';
import type { PagePart } from '../../runtime/pagePart.ts';
import { type Adapter, watchGlobal } from '../../runtime/time/libraryPlayers.ts';

type DotLottie = {
  canvas: unknown;
  isLoaded: boolean;
  isPlaying: boolean;
  autoplay: boolean;
  loop: boolean;
  /** In seconds, at speed 1. */
  duration: number;
  speed: number;
  addEventListener(type: 'loadError' | 'destroy', listener: () => void): void;
  /** One step of the player's loop: advances from `_lastFrameTime` to `time`, draws, and requests an animation frame. */
  _animationLoop?(time: number): void;
  _stopAnimationLoop?(): void;
  _lastFrameTime?: number | null;
};

type Config = { src?: string; data?: unknown };
type DotLottieClass = new (config?: Config) => DotLottie;

function createDotLottieAdapter(page: Window, clips: Clips): Adapter<DotLottie> {
  const players = new Set<DotLottie>();
  const loading = new Set<DotLottie>();
  watchGlobal<DotLottieClass>(page, 'DotLottie', (given) => {
    if (typeof given !== 'function') return given;
    return new Proxy(given, {
      construct(target, args, newTarget) {
        const player = Reflect.construct(target, args, newTarget) as DotLottie;
        const [config] = args as [Config?];
        players.add(player);
        if (config?.src || config?.data) loading.add(player);
        player.addEventListener('loadError', () => loading.delete(player));
        player.addEventListener('destroy', () => players.delete(player));
        return player;
      },
    });
  });
  return {
    find: () => players,
    origin: ({ canvas }, host) => clips.startOf(canvas instanceof Element ? canvas : host) * 1000,
    length: ({ loop, autoplay, isLoaded, duration, speed }) =>
      loop || !autoplay || !isLoaded ? null : (duration * 1000) / speed,
    isLoading: (player) => loading.has(player) && !player.isLoaded,
    isPlaying: (player) => player.isPlaying,
    advance(player, elapsed) {
      // The player's loop stops when the browser considers the canvas invisible, for example inside another canvas.
      player._stopAnimationLoop?.();
      player._lastFrameTime = 0;
      player._animationLoop?.(elapsed);
      player._stopAnimationLoop?.();
    },
  };
}

export const dotLottieInPage: PagePart = {
  install: ({ window, clips }) => ({ adapter: createDotLottieAdapter(window, clips) }),
};
