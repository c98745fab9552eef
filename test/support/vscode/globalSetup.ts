// Installs VS Code once, before two suites at a time use it.
import { installVsCode } from './installed.ts';

export async function setup(): Promise<void> {
  if (!process.env.VSCODE_EXECUTABLE) await installVsCode();
}
