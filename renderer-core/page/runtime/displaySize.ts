// Whether a video is displayed, and the size of its frame in pixels of the output.

export type Size = { width: number; height: number };

/** The size of the element's current frame; 0 without one. */
export function naturalSize({ videoWidth, videoHeight }: HTMLVideoElement): Size {
  return { width: videoWidth, height: videoHeight };
}

/** Whether a part of the element is in the frame and not hidden by its styles. */
export function isVisible(video: HTMLVideoElement): boolean {
  return (
    isInFrame(video.getBoundingClientRect()) &&
    video.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  );
}

/** Whether a part of the box is in the frame. Empty boxes are not. */
export function isInFrame({ left, top, right, bottom }: DOMRect): boolean {
  return (
    left < Math.min(right, window.innerWidth) && top < Math.min(bottom, window.innerHeight) && right > 0 && bottom > 0
  );
}

/**
 * The displayed size of a frame of `natural` size: depends on the element's box, `object-fit` and transforms. An upper
 * bound for rotated elements. The natural size if the element has no layout.
 */
export function displaySize(video: HTMLVideoElement, natural: Size): Size {
  const { offsetWidth, offsetHeight, clientWidth, clientHeight } = video;
  if (clientWidth === 0 || clientHeight === 0) return natural;
  const style = window.getComputedStyle(video);
  const padding = (side: 'Left' | 'Right' | 'Top' | 'Bottom') => Number.parseFloat(style[`padding${side}`]) || 0;
  const box = {
    width: clientWidth - padding('Left') - padding('Right'),
    height: clientHeight - padding('Top') - padding('Bottom'),
  };
  const content = contentSize(style.objectFit, box, natural);
  const outer = video.getBoundingClientRect();
  // The page may be rendered at a higher pixel density.
  const zoom = window.devicePixelRatio;
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
