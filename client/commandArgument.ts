// The composition that a command gets as its argument.
import { l10n, Uri } from 'vscode';

export function noCompositionMessage(uri: string | undefined): string {
  if (uri === undefined) return l10n.t('Open a composition first: an HTML file that contains data-composition-id.');
  const name = Uri.parse(uri).path.split('/').pop() ?? uri;
  return l10n.t('{0} is not a composition: no element has data-composition-id.', name);
}

/** The explorer passes a `Uri`; other callers pass JSON. */
export function uriOf(given: unknown): string | undefined {
  if (given instanceof Uri) return given.toString();
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
