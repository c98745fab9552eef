// Uploads over a real connection: interrupted, too large or in the wrong format.
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../../../cloud/service/api/apiSchemas.ts';
import { receiveFile } from '../../../../cloud/service/api/receiveUpload.ts';
import { startService } from '../../../../cloud/service/service.ts';
import type { ServiceSettings } from '../../../../cloud/service/settings.ts';
import { cleanUp } from '../../../../cloud/service/storage/retention.ts';
import { writeFiles } from '../../../support/project.ts';
import {
  assetForm,
  projectZip,
  testFolder,
  testService,
  testSettings,
  testUser,
} from '../../../support/service/service.ts';

const boundary = 'cut-here';
const partHead = (name: string, file = 'p.zip') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n`;
const formEnd = `\r\n--${boundary}--\r\n`;
const formType = `multipart/form-data; boundary=${boundary}`;

/** Sends forms to one service, whole or byte by byte; returns status, code and field of each response. */
async function sender() {
  const { app, context } = await testService();
  const { headers } = await testUser(context);
  return async (body: FormData | string, contentType = formType): Promise<string> => {
    const isForm = body instanceof FormData;
    const response = await app.request('/v3/assets', {
      method: 'POST',
      headers: { ...headers, ...(isForm ? {} : { 'content-type': contentType }) },
      body: isForm ? body : Buffer.from(body, 'latin1'),
    });
    const { error } = await response.json();
    // Rejected uploads leave nothing behind, accepted ones are stored.
    const kept = await context.database.selectFrom('assets').select(['id', 'deleted_at']).execute();
    expect(leftIn(context.settings.dataDir)).toEqual(kept.map(({ id }) => `${id}.zip`));
    for (const { id } of kept) await context.objects.delete(`assets/${id}.zip`);
    await context.database.deleteFrom('assets').execute();
    expect(kept).toHaveLength(error ? 0 : 1);
    return [response.status, error?.code, error?.param].filter((part) => part !== undefined).join(' ');
  };
}

function leftIn(dataDir: string): string[] {
  return ['uploads', 'objects/assets'].flatMap((name) => {
    const folder = join(dataDir, name);
    return existsSync(folder) ? readdirSync(folder) : [];
  });
}

test('accepts one part named file that is a zip archive', async () => {
  const verdict = await sender();
  const zip = projectZip.toString('latin1');
  expect(await verdict(assetForm())).toBe('200');
  expect(await verdict(assetForm(projectZip, 'archive'))).toBe('400 invalid_parameter archive');
  expect(await verdict(assetForm(Buffer.from('plain text')))).toBe('422 framework_project_invalid file');
  expect(await verdict(assetForm(Buffer.alloc(0)))).toBe('422 framework_project_invalid file');
  // An empty archive has nothing to render.
  expect(await verdict(assetForm(Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1')))).toBe(
    '422 framework_project_invalid project',
  );
  // Begins like a zip archive but is not one.
  expect(await verdict(assetForm(Buffer.from('PK\x03\x04 and no more')))).toBe('422 framework_project_invalid project');
  const two = assetForm();
  two.append('file', new Blob(['PK']), 'second.zip');
  expect(await verdict(two)).toBe('400 invalid_parameter file');
  const field = assetForm();
  field.append('title', 'x');
  expect(await verdict(field)).toBe('400 invalid_parameter title');
  expect(await verdict(new FormData())).toBe('400 invalid_parameter file');
  expect(await verdict(`${partHead('file', '')}${zip}${formEnd}`)).toBe('400 invalid_parameter file');
  const binary = `--${boundary}\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  expect(await verdict(`${binary}${zip}${formEnd}`)).toBe('400 invalid_parameter file');
  expect(await verdict(`${partHead('file')}${zip}${formEnd}`)).toBe('200');
  expect(await verdict(`${partHead('file')}${zip}`)).toBe('400 invalid_parameter file');
  expect(await verdict(`${partHead('file')}${zip}\r\n--${boundary}`)).toBe('400 invalid_parameter file');
  expect(await verdict('')).toBe('400 invalid_parameter file');
  expect(await verdict(zip, 'application/zip')).toBe('415 unsupported_media_type');
  expect(await verdict(zip, 'multipart/form-data')).toBe('415 unsupported_media_type');
  expect(await verdict(zip, 'multipart/form-data; x=1')).toBe('400 invalid_parameter file');
});

/** A service that listens on a port, and a user of it. */
async function listening(given: Partial<ServiceSettings> = {}) {
  const dataDir = await testFolder();
  const settings = { ...testSettings(dataDir, given), publicUrl: undefined };
  const service = await startService(settings, { log: () => undefined });
  onTestFinished(() => service.close());
  const { context } = await testService({ dataDir });
  const { headers } = await testUser(context);
  return { url: service.url, headers, dataDir, context };
}

async function begin(url: string, headers: Record<string, string>): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = Object.entries({ host, 'content-type': formType, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`POST /v3/assets HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('deletes an upload that was cut off', async () => {
  const { url, headers, dataDir, context } = await listening();
  const socket = await begin(url, { ...headers, 'content-length': '1000000' });
  socket.write(partHead('file'));
  socket.write(Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100_000)]));
  await vi.waitFor(() => expect(leftIn(dataDir)).toHaveLength(1));
  socket.destroy();
  await vi.waitFor(() => expect(leftIn(dataDir)).toEqual([]));
  expect(await context.database.selectFrom('assets').selectAll().execute()).toEqual([]);
});

test('rejects an archive by its declared size before it is sent', async () => {
  const { url, headers } = await listening();
  const socket = await begin(url, { ...headers, 'content-length': String(limits.archiveBytes + 1_000_000) });
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
  expect(String(answer)).toContain('framework_project_too_large');
});

test('sends the error to a client that only reads after it has sent everything', async () => {
  const { url, headers } = await listening();
  const length = limits.archiveBytes + 1_000_000;
  const socket = await begin(url, { ...headers, 'content-length': String(length), connection: 'close' });
  const chunk = Buffer.alloc(1 << 20);
  for (let sent = 0; sent < length; sent += chunk.length) {
    const part = chunk.subarray(0, Math.min(chunk.length, length - sent));
    if (!socket.write(part)) await once(socket, 'drain');
  }
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
});

test('rejects and deletes an archive that turns out to be too large', async () => {
  const { url, headers, dataDir } = await listening();
  const socket = await begin(url, { ...headers, 'transfer-encoding': 'chunked' });
  const write = async (bytes: Buffer | string) => {
    socket.write(`${Buffer.byteLength(bytes).toString(16)}\r\n`);
    socket.write(bytes);
    if (!socket.write('\r\n')) await once(socket, 'drain');
  };
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  await write(partHead('file'));
  await write('PK\x03\x04');
  const chunk = Buffer.alloc(1 << 22);
  for (let sent = 0; sent < limits.archiveBytes && answer === ''; sent += chunk.length) await write(chunk);
  await vi.waitFor(() => expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*framework_project_too_large/), 30_000);
  expect(leftIn(dataDir)).toEqual([]);
});

test('does not delay other requests during a slow upload', async () => {
  const { url, headers, dataDir } = await listening();
  const socket = await begin(url, { ...headers, 'content-length': '1000' });
  socket.write(`${partHead('file')}PK\x03\x04${'x'.repeat(500)}`);
  await vi.waitFor(() => expect(leftIn(dataDir)).toHaveLength(1));
  expect((await fetch(`${url}/v3/users/me`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/v3/assets`, { method: 'POST', headers, body: assetForm() })).status).toBe(200);
});

test('answers 408 to an upload that is too slow, and closes the connection', async () => {
  const { url, headers, dataDir, context } = await listening({
    uploadPace: { bytesPerSecond: 10_000, windowMs: 100 },
  });
  const socket = await begin(url, { ...headers, 'content-length': '1000000' });
  socket.write(`${partHead('file')}PK\x03\x04`);
  // A few bytes now and then do not help.
  const dripping = setInterval(() => socket.write('x'), 20);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
    clearInterval(dripping);
  });
  // A byte that arrives after the connection was closed resets it.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  expect(answer).toMatch(
    /^HTTP\/1.1 408 [\s\S]*"code":"request_timeout","message":"The upload is slower than 10 kB\/s/,
  );
  expect(leftIn(dataDir)).toEqual([]);
  expect(await context.database.selectFrom('uploads').selectAll().execute()).toEqual([]);
});

test('measures the pace of an upload in windows, of which the first is free', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(await testFolder(), 'upload');
  const body = new PassThrough();
  const headers = { contentType: formType, contentLength: undefined };
  let result = 'none';
  const ended = receiveFile(body, headers, path, { bytesPerSecond: 100, windowMs: 1000 }).catch((error) => {
    result = error.code;
  });
  /** Sends bytes, waits until they are stored, and lets the window end. */
  const window = async (bytes: string) => {
    const before = storedBytes(path);
    body.write(bytes);
    while (storedBytes(path) < before + bytes.length) await new Promise(setImmediate);
    vi.advanceTimersByTime(1000);
  };
  body.write(partHead('file'));
  await window('PK\x03\x04');
  await window('x'.repeat(100));
  await window('x'.repeat(250));
  await new Promise(setImmediate);
  expect(result).toBe('none');
  await window('x'.repeat(99));
  await ended;
  expect(result).toBe('request_timeout');
});

const storedBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

test('closes connections beyond the maximum', async () => {
  const { url } = await listening({ maxConnections: 1 });
  const { hostname, port } = new URL(url);
  const open = async () => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const first = await open();
  await once(await open(), 'close');
  first.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  expect(String((await once(first, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
  await once(first, 'close');
  const next = await open();
  next.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  expect(String((await once(next, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
});

test('deletes partial files of a killed service after a day', async () => {
  const { app, context, clock } = await testService();
  const { headers } = await testUser(context);
  await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() });
  const { dataDir } = context.settings;
  const [whole] = leftIn(dataDir);
  clock.now = Date.now();
  writeFiles(dataDir, { 'uploads/ast_half': 'PK', 'objects/assets/.0123456789abcdef.tmp': 'PK' });
  await cleanUp(context);
  expect(leftIn(dataDir).sort()).toEqual(['.0123456789abcdef.tmp', 'ast_half', whole].sort());
  clock.now += 25 * 60 * 60 * 1000;
  await cleanUp(context);
  expect(leftIn(dataDir)).toEqual([whole]);
});
