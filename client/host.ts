// What differs between a VS Code that has a computer below it and one in a browser tab.
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import type { CliRun, CliStart } from './cli/cliEvents.ts';

export type Host = {
  /** Loads the language client, which is most of the extension's code, and makes one; it is not started. */
  createClient(options: LanguageClientOptions): Promise<BaseLanguageClient>;
  /** Starts the bundled command line; missing where no program can be started. */
  startCli?: (extensionPath: string, start: CliStart) => CliRun;
  /** How others start it; missing likewise. */
  cliProgram?: (extensionPath: string) => { command: string; args: string[]; env: Record<string, string> };
};
