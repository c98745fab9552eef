// Rules for new passwords, on the web pages and on the operator's command line.

/** In UTF-16 code units. */
export const passwordLength = { min: 10, max: 1000 };

const fewestCharacters = 4;

/** Returns the problem of a new password as an instruction, or undefined if it is acceptable. */
export function passwordProblem(password: string, email: string): string | undefined {
  const { min, max } = passwordLength;
  if (password.length < min) return `Choose a password of at least ${min} characters`;
  if (password.length > max) return `Choose a password of at most ${max} characters`;
  const plain = password.trim().toLowerCase();
  if (plain === email.trim().toLowerCase()) return 'Choose a password that is not your e-mail address';
  if (new Set(plain).size < fewestCharacters) return 'Choose a password of more than three different characters';
  return undefined;
}
