// A DNS server on 127.0.0.1 that answers all name lookups of this process.
import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';

export type NameServer = {
  /** All questions in order: `A rebind.example`. */
  questions: string[];
  close(): Promise<void>;
};

/** The IPv4 addresses of a name; `undefined`: no response. */
export type Answers = (type: 'A' | 'AAAA', name: string) => readonly string[] | undefined;

export async function startNameServer(answers: Answers): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    questions.push(`${type} ${name}`);
    const found = answers(type, name);
    if (found) socket.send(answerTo(query.subarray(0, end), found), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { Resolver } = promises;
  const server = `127.0.0.1:${socket.address().port}`;
  promises.Resolver = class extends Resolver {
    constructor(...options: ConstructorParameters<typeof Resolver>) {
      super(...options);
      this.setServers([server]);
    }
  };
  return {
    questions,
    async close() {
      promises.Resolver = Resolver;
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

const headerBytes = 12;

function questionOf(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1) === 1 ? 'A' : 'AAAA', end: at + 5 };
}

function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question);
  // Header of a response without an error: one question, this number of addresses, and nothing else.
  head.writeUInt16BE(0x8180, 2);
  for (const [index, count] of [1, addresses.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * index);
  const record = (address: string) => [
    0xc0,
    headerBytes,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    4,
    ...address.split('.').map(Number),
  ];
  return Buffer.concat([head, Buffer.from(addresses.flatMap(record))]);
}
