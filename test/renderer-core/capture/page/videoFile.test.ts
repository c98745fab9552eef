// Opening media files, with the demultiplexer that runs in pages.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openMediaFile } from '../../../../renderer-core/capture/page/videoFile.ts';

/** Frames of silence: MPEG 1 layer 3, 128 kbit/s, 44.1 kHz. 16 of them have 6,688 bytes and are 0.418 s long. */
const mp3 = (seconds: number): Buffer => {
  const frame = Buffer.alloc(418);
  frame.set([0xff, 0xfb, 0x92, 0x64]);
  return Buffer.concat(Array<Buffer>(Math.round((seconds * 44_100) / 1152)).fill(frame));
};

/** Serves `content` in ranges. Returns its URL and the number of bytes that were requested. */
async function serve(content: Buffer): Promise<{ url: string; sent(): number }> {
  let sent = 0;
  const server = createServer((request, response) => {
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), to === '' ? content.length - 1 : Math.min(content.length - 1, Number(to))];
    response.writeHead(206, {
      'content-range': `bytes ${start}-${end}/${content.length}`,
      'content-length': end - start + 1,
    });
    let at = start;
    const write = (): void => {
      while (at <= end && !response.destroyed) {
        const part = content.subarray(at, Math.min(end + 1, at + 65_536));
        at += part.length;
        sent += part.length;
        if (!response.write(part)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp3`, sent: () => sent };
}

test('finds the length of a long MP3 file without reading all of it', async () => {
  const content = mp3(3600);
  const { url, sent } = await serve(content);
  const file = await openMediaFile(url, false);
  expect(file).toMatchObject({ hasAudio: true, duration: expect.closeTo(3600, 0) });
  expect(sent()).toBeLessThan(content.length / 4);
});
