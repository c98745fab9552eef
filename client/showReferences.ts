// Shows the places that a code lens counted, in the editor's own list of references.
import { commands, l10n, window } from 'vscode';
import type { Protocol2CodeConverter } from 'vscode-languageclient';
import type { Commands } from '../server/protocol.ts';

type Given = Commands['framework.showReferences'][0];

/** `given` comes from the server as plain JSON; the editor's command wants its own classes. */
export async function showReferences(given: Given, converter: Protocol2CodeConverter): Promise<void> {
  if (!given?.locations) {
    await window.showInformationMessage(l10n.t('Framework: use this command from the line above a composition.'));
    return;
  }
  await commands.executeCommand(
    'editor.action.showReferences',
    converter.asUri(given.uri),
    converter.asPosition(given.position),
    given.locations.map((place) => converter.asLocation(place)),
  );
}
