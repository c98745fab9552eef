// The address of a preview as the window reaches it, which may be another machine than the one that serves it.

/** `origin` is what the policy of the panel lets in. */
export type PreviewAddress = { url: string; origin: string };

/**
 * `url` is the page's own address, `external` the editor's word for the server's origin: the same, another port, or another
 * host with a path in front.
 */
export function previewAddress(url: string, external: string, composition: string): PreviewAddress {
  const [page, outside] = [new URL(url), new URL(external)];
  const path = outside.pathname.replace(/\/$/, '') + page.pathname;
  const query = new URLSearchParams([...page.searchParams, ...outside.searchParams, ['composition', composition]]);
  // `+` for a space is of forms; addresses of files have `%20`.
  return { url: `${outside.origin}${path}?${String(query).replaceAll('+', '%20')}`, origin: outside.origin };
}
