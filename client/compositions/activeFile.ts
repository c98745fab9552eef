import { TabInputText, type Uri, window } from 'vscode';

/**
 * The file in the active tab. `window.activeTextEditor` is not used because it can be the output panel; the tab also stays
 * active while a terminal or the search has the focus.
 */
export function activeFile(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof TabInputText ? input.uri : undefined;
}
