// dotLottie: players made from the global class are moved by hand, from the beginning of their canvas's clip.
import type { Clips } from './clips.ts';
import { type Adapter, watchGlobal } from './players.ts';

type DotLottie = {
  canvas: unknown;
  isLoaded: boolean;
  isPlaying: boolean;
  autoplay: boolean;
  loop: boolean;
  /** Seconds, at the player's speed of 1. */
  duration: number;
  speed: number;
  addEventListener(type: 'loadError' | 'destroy', listener: () => void): void;
  /** The player's own loop: goes on from `_lastFrameTime` to `time`, draws, and asks for the next animation frame. */
  _animationLoop?(time: number): void;
  _stopAnimationLoop?(): void;
  _lastFrameTime?: number | null;
};

type Config = { src?: string; data?: unknown };
type DotLottieClass = new (config?: Config) => DotLottie;

export function createDotLottieAdapter(page: Window, clips: Clips): Adapter<DotLottie> {
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
    origin: ({ canvas }, host) => {
      const element = canvas instanceof Element ? canvas : host;
      return element ? clips.startOf(element) * 1000 : 0;
    },
    length: ({ loop, autoplay, isLoaded, duration, speed }) =>
      loop || !autoplay || !isLoaded ? null : (duration * 1000) / speed,
    isLoading: (player) => loading.has(player) && !player.isLoaded,
    isPlaying: (player) => player.isPlaying,
    advance(player, elapsed) {
      // Its own loop stops by itself where the browser holds the canvas for invisible, as it does below a canvas.
      player._stopAnimationLoop?.();
      player._lastFrameTime = 0;
      player._animationLoop?.(elapsed);
      player._stopAnimationLoop?.();
    },
  };
}
