// The file that the user is working on, also while the output, a terminal or a search has the focus.
import { TabInputText, type Uri, window } from 'vscode';

/** The file of the tab in front. Not the active text editor: that can be the output's. */
export function activeFile(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof TabInputText ? input.uri : undefined;
}
