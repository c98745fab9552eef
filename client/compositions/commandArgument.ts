// The composition that a command gets as its argument.
import { l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrMessage } from '../language/serverResult.ts';
import { activeFile } from './activeFile.ts';

/**
 * The composition for a command: that of its argument, the one in the active preview (`previewed`), in the active tab, or the last
 * one there. When there is none, shows the reason and returns undefined.
 */
export async function askedComposition(
  given: unknown,
  { active, server, log }: Pick<ExtensionServices, 'active' | 'server' | 'log'>,
  previewed?: string,
): Promise<CompositionInfo | undefined> {
  const uri = uriOf(given) ?? previewed ?? activeFile()?.toString() ?? active.current()?.uri;
  const request = uri === undefined ? null : server.request('framework/composition', { uri });
  const found = request && (await resultOrMessage(request, log));
  if (found === null) void window.showWarningMessage(noCompositionMessage(uri));
  return found ?? undefined;
}

export function noCompositionMessage(uri: string | undefined): string {
  if (uri === undefined) return l10n.t('Open a composition first: an HTML file that contains data-composition-id.');
  const name = Uri.parse(uri).path.split('/').pop() ?? uri;
  return l10n.t('{0} is not a composition: no element has data-composition-id.', name);
}

/** The explorer passes a `Uri`; other callers pass JSON. */
function uriOf(given: unknown): string | undefined {
  if (given instanceof Uri) return given.toString();
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
