// An SMTP server on 127.0.0.1 that keeps the mails it receives.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, vi } from 'vitest';

export type ReceivedMail = { from: string; to: string[]; subject: string; text: string };

export type MailServer = {
  /** For `SERVICE_SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
  /** The next mail; later calls return later ones. */
  next(): Promise<ReceivedMail>;
  close(): Promise<void>;
};

/** Closed when the test ends. */
export async function startMailServer(): Promise<MailServer> {
  const server = await openMailServer();
  onTestFinished(() => server.close());
  return server;
}

/** It requires a user and a password. */
export async function openMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (username === 'service' && password === 'p@ss') done(null, { user: username });
      else done(new Error('wrong password'));
    },
    onData(stream, { envelope }, done) {
      text(stream).then((source) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...readMail(source) });
        done();
      }, done);
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  let read = 0;
  return {
    url: `smtp://service:p%40ss@127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    async next() {
      const at = read++;
      await vi.waitFor(() => expect(mails.length).toBeGreaterThan(at), { timeout: 10_000 });
      return mails[at] ?? expect.fail('no mail');
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The text of a plain mail, with the encodings that lines of more than 76 characters need. */
function readMail(source: string): { subject: string; text: string } {
  const end = source.indexOf('\r\n\r\n');
  const [head, body] = [source.slice(0, end), source.slice(end + 4)];
  const isEncoded = /^content-transfer-encoding: quoted-printable\r?$/im.test(head);
  return {
    subject: /^subject: (.*)\r?$/im.exec(head)?.[1]?.trim() ?? '',
    text: isEncoded ? decodeQuotedPrintable(body) : body,
  };
}

function decodeQuotedPrintable(body: string): string {
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The path of the link in a mail. */
export function linkIn({ text: body }: ReceivedMail): string {
  const link = /https?:\/\/\S+\/new-password\?token=\S+/.exec(body)?.[0] ?? expect.fail(`no link in ${body}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
