// The command that adds a font family to a project, for hints.

/** The command; undefined if the name cannot be that of a family which the command finds. */
export function addFontCommand(family: string, weights: readonly number[] = []): string | undefined {
  // Users paste the command into a shell.
  if (!/^[a-z\d][a-z\d .'+-]{0,80}$/i.test(family)) return undefined;
  return `framework fonts add "${family}"${weights.length === 0 ? '' : ` --weights ${weights.join(',')}`}`;
}
