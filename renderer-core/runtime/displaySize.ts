// How large a video's whole picture is shown, in pixels of the frame.

export type Size = { width: number; height: number };

/**
 * The size that the element gives to a picture of `natural` size: its box, `object-fit`, and how transforms enlarge or
 * shrink the box. For a turned element it is an upper bound. Null when the element is not laid out.
 */
export function shownSize(video: HTMLVideoElement, natural: Size): Size | null {
  const view = video.ownerDocument.defaultView;
  const { offsetWidth, offsetHeight, clientWidth, clientHeight } = video;
  if (!view || clientWidth === 0 || clientHeight === 0) return null;
  const style = view.getComputedStyle(video);
  const padding = (side: 'Left' | 'Right' | 'Top' | 'Bottom') => Number.parseFloat(style[`padding${side}`]) || 0;
  const box = {
    width: clientWidth - padding('Left') - padding('Right'),
    height: clientHeight - padding('Top') - padding('Bottom'),
  };
  const picture = pictureSize(style.objectFit, box, natural);
  const outer = video.getBoundingClientRect();
  // The page may be drawn larger than it is laid out.
  const zoom = view.devicePixelRatio;
  return {
    width: (picture.width * outer.width * zoom) / offsetWidth,
    height: (picture.height * outer.height * zoom) / offsetHeight,
  };
}

/** The size of the whole picture, also where the box cuts some of it off. */
export function pictureSize(objectFit: string, box: Size, natural: Size): Size {
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
