// Asks for the name of a new variable.
import { l10n, window } from 'vscode';

/** `problemOf`: why a variable cannot have an ID. */
export async function promptForId(
  title: string,
  problemOf: (id: string) => Promise<string | undefined>,
  suggested = '',
): Promise<string | undefined> {
  const given = await window.showInputBox({
    title,
    prompt: l10n.t('The name of the variable, such as {0}. Styles read it as {1}.', 'titleColor', '--titleColor'),
    value: suggested,
    validateInput: (id) => problemOf(id.trim()).catch(String),
  });
  return given?.trim();
}
