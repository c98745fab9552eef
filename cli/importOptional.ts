// Loads a command's module that some builds of the CLI do not contain.
import { UserError } from '../renderer-core/errors.ts';

/** The CLI inside the VS Code extension has neither the hosted service nor the AWS deployment. Throws UserError `usage`. */
export async function importOptional<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError('usage', 'This copy of framework does not include this command', {
      hint: 'Install the command line tool, which includes it: npm install --global framework',
      cause: error,
    });
  }
}
