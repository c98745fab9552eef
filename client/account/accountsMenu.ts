// The sign-in request in the Accounts menu.
import { authentication } from 'vscode';

/** There is one kind of session. It needs a scope: VS Code does not remove a sign-in request without scopes. */
export const scopes = ['account'];

/**
 * Adds a sign-in request to the Accounts menu. Called only after a cloud render was asked for: the request adds a badge to the
 * menu, which users who render only on this computer should not see.
 */
export function offerInAccountsMenu(): void {
  // Without `silent`, VS Code lists the request in the menu and shows no dialog.
  void authentication.getSession('framework', scopes, { createIfNone: false });
}
