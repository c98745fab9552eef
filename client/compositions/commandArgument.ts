// The composition that a command is about.
import { l10n, Uri, window } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { resultOrLog, resultOrMessage } from '../language/serverResult.ts';
import { activeFile } from './activeFile.ts';
import { compositionName } from './compositionName.ts';
import { compositionOf } from './compositionOf.ts';

type Services = Pick<ExtensionServices, 'active' | 'server' | 'log'>;

/**
 * The composition for a command: that of its argument, or else of the active tab, or else the last one there, or else the one that
 * the user chooses. When there is none, shows the reason and returns undefined.
 */
export async function askedComposition(given: unknown, services: Services): Promise<CompositionInfo | undefined> {
  const { server, log } = services;
  const asked = uriOf(given);
  if (asked !== undefined) {
    const found = await resultOrMessage(compositionOf(asked, server), log);
    if (found === null) void window.showWarningMessage(noCompositionMessage(asked));
    return found ?? undefined;
  }
  const tab = activeFile()?.toString();
  const found = tab === undefined ? null : await resultOrMessage(compositionOf(tab, server), log);
  // Undefined after an error, which has been shown.
  if (found !== null) return found;
  const isPage = tab !== undefined && /\.html?$/i.test(tab);
  return isPage ? offerOther(tab, services) : otherComposition(services);
}

/** The last active composition, or the one that the user chooses. */
async function otherComposition(services: Services): Promise<CompositionInfo | undefined> {
  const { active, server, log } = services;
  const last = active.current()?.uri;
  const found = last === undefined ? null : await resultOrMessage(compositionOf(last, server), log);
  return found === null ? chooseComposition(services) : found;
}

/** The user may expect that the page in the active tab is a composition. */
async function offerOther(page: string, services: Services): Promise<CompositionInfo | undefined> {
  const { active, server, log } = services;
  const all = (await resultOrLog(server.request('framework/compositions', null), log)) ?? [];
  const last = all.find(({ uri }) => uri === active.current()?.uri);
  const other = last ?? (all.length === 1 ? all[0] : undefined);
  const use = other ? [l10n.t('Use {0}', compositionName(other))] : [];
  const chosen = await window.showWarningMessage(noCompositionMessage(page), ...use);
  return chosen === undefined ? undefined : other;
}

/** Asks only if there are several. */
async function chooseComposition({ server, log }: Services): Promise<CompositionInfo | undefined> {
  // Answered only after the workspace has been read.
  await resultOrLog(server.request('framework/projects', null), log);
  const all = await resultOrMessage(server.request('framework/compositions', null), log);
  if (!all) return undefined;
  if (all.length === 0) void window.showWarningMessage(noCompositionMessage(undefined));
  if (all.length <= 1) return all[0];
  const items = all.map((composition) => ({
    label: compositionName(composition),
    description: composition.path,
    composition,
  }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Choose Composition'),
    placeHolder: l10n.t('Several compositions were found.'),
    matchOnDescription: true,
  });
  return chosen?.composition;
}

export function noCompositionMessage(uri: string | undefined): string {
  if (uri === undefined)
    return l10n.t('This window has no composition: an HTML file that contains data-composition-id.');
  const name = Uri.parse(uri).path.split('/').pop() ?? uri;
  return l10n.t('{0} is not a composition: no element has data-composition-id.', name);
}

/** The explorer passes a `Uri`, a code lens and a tree pass JSON, and a keybinding can pass anything. */
export function uriOf(given: unknown): string | undefined {
  if (given instanceof Uri) return given.toString();
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
