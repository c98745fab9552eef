// The size at which a video frame is displayed, in pixels of the output.

export type Size = { width: number; height: number };

/**
 * The displayed size of a frame of `natural` size: depends on the element's box, `object-fit` and transforms. An upper
 * bound for rotated elements. Null if the element has no layout.
 */
export function displaySize(video: HTMLVideoElement, natural: Size): Size | null {
  const view = video.ownerDocument.defaultView;
  const { offsetWidth, offsetHeight, clientWidth, clientHeight } = video;
  if (!view || clientWidth === 0 || clientHeight === 0) return null;
  const style = view.getComputedStyle(video);
  const padding = (side: 'Left' | 'Right' | 'Top' | 'Bottom') => Number.parseFloat(style[`padding${side}`]) || 0;
  const box = {
    width: clientWidth - padding('Left') - padding('Right'),
    height: clientHeight - padding('Top') - padding('Bottom'),
  };
  const content = contentSize(style.objectFit, box, natural);
  const outer = video.getBoundingClientRect();
  // The page may be rendered at a higher pixel density.
  const zoom = view.devicePixelRatio;
  return {
    width: (content.width * outer.width * zoom) / offsetWidth,
    height: (content.height * outer.height * zoom) / offsetHeight,
  };
}

/** The size of the whole frame, including parts that the box clips. */
export function contentSize(objectFit: string, box: Size, natural: Size): Size {
  const across = box.width / natural.width;
  const down = box.height / natural.height;
  const scaled = (factor: number) => ({ width: natural.width * factor, height: natural.height * factor });
  switch (objectFit) {
    case 'contain':
      return scaled(Math.min(across, down));
    case 'cover':
      return scaled(Math.max(across, down));
    case 'none':
      return natural;
    case 'scale-down':
      return scaled(Math.min(1, across, down));
    default:
      return box;
  }
}
