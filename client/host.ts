// What differs between VS Code for desktop and VS Code for the Web.
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import type { CliRun, CliStart } from './cli/cliEvents.ts';

export type Host = {
  /** Creates a language client without starting it. Loads it lazily: it is most of the extension's code. */
  createClient(options: LanguageClientOptions): Promise<BaseLanguageClient>;
  /** Absolute path of the folder that setup downloads programs to. */
  programsFolder?: string;
  /** Starts the bundled command line. Undefined in VS Code for the Web, which cannot start programs. */
  startCli?: (extensionPath: string, start: CliStart) => CliRun;
  /** The API key that the user has entered in the editor. Undefined in VS Code for the Web. */
  apiKey?: {
    set(key: string | undefined): void;
    /** Whether commands of the hosted service use it: a key in the environment takes precedence. */
    isUsed(): boolean;
  };
  /** How another program can start the bundled command line. Undefined in VS Code for the Web. */
  cliProgram?: (extensionPath: string) => { command: string; args: string[]; env: Record<string, string> };
};
