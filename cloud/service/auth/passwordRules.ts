// What a new password must be, wherever it is chosen: on the pages and on the operator's command line.

/** Length in UTF-16 units. */
export const passwordLength = { min: 10, max: 1000 };

const fewestCharacters = 4;

/** What is wrong with a new password, as what to do; undefined when nothing is. */
export function passwordProblem(password: string, email: string): string | undefined {
  const { min, max } = passwordLength;
  if (password.length < min) return `Choose a password of at least ${min} characters`;
  if (password.length > max) return `Choose a password of at most ${max} characters`;
  const plain = password.trim().toLowerCase();
  if (plain === email.trim().toLowerCase()) return 'Choose a password that is not your e-mail address';
  if (new Set(plain).size < fewestCharacters) return 'Choose a password of more than three different characters';
  return undefined;
}
