// Sends mails over the operator's SMTP server. Mails are sent in the background, so that the time of a response does not
// reveal whether one is sent.
import type { ServiceLog } from '../context.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Mail, Mailer } from './mail.ts';

/** A server that does not respond must not keep mails in memory forever. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Opens a connection for each mail. */
export async function createMailer(
  { smtpUrl, from }: NonNullable<ServiceSettings['mail']>,
  log: ServiceLog,
): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(withTimeouts(smtpUrl), { from });
  const pending = new Set<Promise<void>>();
  async function send(work: () => Promise<Mail | undefined>): Promise<void> {
    try {
      const mail = await work();
      // The address is an object, because a text is parsed as a list of addresses.
      if (mail !== undefined) await transport.sendMail({ ...mail, to: { name: '', address: mail.to } });
    } catch (error) {
      // The message of some servers repeats the address of the recipient, but never the text of the mail.
      log('error', 'mail not sent', { error: String(error) });
    }
  }
  return {
    later(work) {
      const sending: Promise<void> = send(work).finally(() => pending.delete(sending));
      pending.add(sending);
    },
    async close() {
      await Promise.all(pending);
      transport.close();
    },
  };
}

/** Options in the query of the URL take precedence. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const [name, value] of Object.entries(timeouts))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(value));
  return url.href;
}
