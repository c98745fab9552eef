// A mail, and what sends it.

export type Mail = { to: string; subject: string; text: string };

export type Mailer = {
  /** Runs later. If it fails, or the mail that it returns cannot be sent, that is logged. */
  later(work: () => Promise<Mail | undefined>): void;
  /** Waits for mails that are being sent. */
  close(): Promise<void>;
};
