// The trees of the side bar and the account that one of them shows.
import type { Disposable } from 'vscode';
import { createAccount } from '../account/account.ts';
import { createAccountCommands } from '../account/accountCommands.ts';
import type { Tools } from '../tools.ts';
import { createCompositionsView } from './compositionsView.ts';
import { createRendersView } from './rendersView.ts';

export function createSidebar(tools: Tools): Disposable[] {
  const account = createAccount(tools);
  return [
    account,
    ...createAccountCommands(tools, account),
    ...createCompositionsView(tools),
    ...createRendersView(tools, account),
  ];
}
