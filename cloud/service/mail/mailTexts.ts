// The mails of the service, as plain text.
import type { Mail } from './mail.ts';

const onceNote = 'The link can be used once within one hour. If it was not you, ignore this mail: nothing was changed.';

/** `link` opens the page that creates the account. */
export function signUpMail(to: string, publicUrl: string, link: string): Mail {
  const text = `Someone, probably you, wants to create an account at ${publicUrl} with this e-mail address.

To choose a password and create the account, open:

${link}

${onceNote}
`;
  return { to, subject: 'Create your account', text };
}

export function accountExistsMail(to: string, publicUrl: string): Mail {
  const text = `Someone, probably you, tried to create an account at ${publicUrl} with this e-mail address, but you already
have one.

To sign in, open ${publicUrl}/sign-in
If you forgot your password, open ${publicUrl}/forgot-password

If it was not you, ignore this mail: nothing was changed.
`;
  return { to, subject: 'You already have an account', text };
}

/** `link` opens the page that changes the password. */
export function resetMail(to: string, publicUrl: string, link: string): Mail {
  const text = `Someone, probably you, wants to change the password of your account at ${publicUrl}.

To choose a new password, open:

${link}

${onceNote}
`;
  return { to, subject: 'Choose a new password', text };
}
