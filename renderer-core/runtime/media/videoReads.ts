// Detects videos whose frames scripts copy to canvases and textures. Those must be in the page even if they are covered.

/** Returns a function that reports whether a script has read frames of a video since this call. */
export function watchVideoReads(window: Window & typeof globalThis): (video: HTMLVideoElement) => boolean {
  const read = new WeakSet<object>();
  const watch = (holder: object | undefined, name: string): void => {
    const original: unknown = holder && Reflect.get(holder, name);
    if (!holder || typeof original !== 'function') return;
    Reflect.set(holder, name, function (this: unknown, ...args: unknown[]) {
      for (const arg of args) if (arg instanceof window.HTMLVideoElement) read.add(arg);
      return original.apply(this, args);
    });
  };
  const { CanvasRenderingContext2D: canvas, OffscreenCanvasRenderingContext2D: offscreen } = window;
  for (const context of [canvas, offscreen]) {
    for (const name of ['drawImage', 'createPattern']) watch(context?.prototype, name);
  }
  for (const context of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    for (const name of ['texImage2D', 'texSubImage2D', 'texSubImage3D']) watch(context?.prototype, name);
  }
  watch(window, 'createImageBitmap');
  return (video) => read.has(video);
}
