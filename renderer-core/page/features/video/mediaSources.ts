// Which files a media element plays: the ones that this browser would choose.

/**
 * The URLs that the browser would try, one after the other, because a file may have another content than its type says. Empty
 * if the element has no medium: no source, an empty one, or none for this page's size.
 */
export function sourceUrls(element: HTMLMediaElement): string[] {
  // With `src`, even an empty one, browsers ignore the `<source>` elements.
  if (element.hasAttribute('src')) return isEmpty(element) ? [] : [element.src];
  const sources = [...element.children].filter(
    (child): child is HTMLSourceElement => child instanceof window.HTMLSourceElement && !isEmpty(child),
  );
  const suitable = sources.filter(({ media }) => media === '' || window.matchMedia(media).matches);
  const playable = suitable.filter(({ type, src }) => {
    const named = type || (/^data:([^,]*),/i.exec(src)?.[1] ?? '').replace(/;base64$/i, '');
    return named === '' || element.canPlayType(named) !== '';
  });
  // Files that no browser plays are converted.
  return (playable.length > 0 ? playable : suitable).map(({ src }) => src);
}

/** Whether the source is missing or leads to the page itself, as `#` does. */
function isEmpty(element: HTMLMediaElement | HTMLSourceElement): boolean {
  const text = element.getAttribute('src')?.trim() ?? '';
  if (text === '' || text.startsWith('#')) return true;
  return !/^(?:data|blob):/i.test(text) && element.src.replace(/#.*$/s, '') === element.baseURI.replace(/#.*$/s, '');
}

/** Makes `undefined` and `null` mean that there is no medium. Browsers request files with these names. */
export function ignoreMissingValues({ HTMLMediaElement, HTMLSourceElement }: Window & typeof globalThis): void {
  for (const { prototype } of [HTMLMediaElement, HTMLSourceElement]) {
    const { setAttribute } = prototype;
    const src = Object.getOwnPropertyDescriptor(prototype, 'src');
    Object.defineProperty(prototype, 'src', {
      ...src,
      set(this: Element, value: unknown) {
        src?.set?.call(this, value ?? '');
      },
    });
    prototype.setAttribute = function (name, value: unknown) {
      setAttribute.call(this, name, (String(name).toLowerCase() === 'src' ? (value ?? '') : value) as string);
    };
  }
}

/** Blobs that may be media. Those of canvases are images. */
const mediaType = /^(?:(?:audio|video)\/|application\/octet-stream$|$)/i;

/** Keeps blobs that pages revoke as soon as their elements have loaded: their frames and sound are read later. */
export function keepMediaBlobs({ URL, Blob }: Window & typeof globalThis): void {
  const { createObjectURL, revokeObjectURL } = URL;
  const kept = new Set<string>();
  URL.createObjectURL = (object) => {
    const url = createObjectURL.call(URL, object);
    if (object instanceof Blob && mediaType.test(object.type)) kept.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => {
    if (!kept.has(url)) revokeObjectURL.call(URL, url);
  };
}
