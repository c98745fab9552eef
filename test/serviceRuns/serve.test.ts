// The built command line serves, is killed in the middle of what it does, and knows at the next start all it has said.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { assetForm, testFolder } from '../support/service.ts';

const program = join(import.meta.dirname, '../../dist/cli.js');

async function run(dataDir: string, args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [program, ...args, '--data', dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [status] = await once(child, 'close');
  expect(status).toBe(0);
  return output;
}

async function serve(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const args = [
    'serve',
    '--data',
    dataDir,
    '--port',
    '0',
    '--workers',
    '0',
    '--json',
    '--requests-per-minute',
    '100000',
  ];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, url: JSON.parse(String(line)).url };
}

test('killed under load, it has lost nothing that it accepted, and shows nothing by half', async () => {
  const dataDir = await testFolder();
  await run(dataDir, ['serve', 'account', 'add', '--email', 'ann@example.com'], 'correct horse\n');
  const key = (await run(dataDir, ['serve', 'key', 'add', '--email', 'ann@example.com', '--json'])).trim();
  const headers = { 'x-api-key': JSON.parse(key).key };
  const first = await serve(dataDir);

  const order = async (url: string, name: string): Promise<{ id: string; replayed: boolean }> => {
    const answer = await fetch(`${url}/v3/framework/renders`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify({ project: { type: 'url', url: 'https://example.com/p.zip' }, title: name }),
    });
    expect(answer.status).toBe(200);
    return { id: (await answer.json()).data.render_id, replayed: answer.headers.get('idempotent-replayed') === 'true' };
  };
  const upload = (url: string) => fetch(`${url}/v3/assets`, { method: 'POST', headers, body: assetForm() });
  const { asset_id } = (await (await upload(first.url)).json()).data;

  // One upload is under way for as long as the service lives.
  const { hostname, port } = new URL(first.url);
  const type = { 'content-type': 'multipart/form-data; boundary=cut-here', 'content-length': '1000000' };
  const hanging = request({ hostname, port, path: '/v3/assets', method: 'POST', headers: { ...headers, ...type } });
  const broken = once(hanging, 'error');
  hanging.write('--cut-here\r\ncontent-disposition: form-data; name="file"; filename="p.zip"\r\n\r\nPK\x03\x04');
  hanging.write(Buffer.alloc(100_000));
  await vi.waitFor(() => expect(readdirSync(join(dataDir, 'uploads'))).toHaveLength(1), { timeout: 10_000 });

  const accepted = new Map<string, string>();
  const names = Array.from({ length: 200 }, (_, index) => `order-${index}`);
  const submits = names.map(async (name) => {
    const { id } = await order(first.url, name);
    accepted.set(name, id);
    if (accepted.size === 60) first.child.kill('SIGKILL');
  });
  await Promise.allSettled(submits);
  await broken;
  expect(accepted.size).toBeGreaterThanOrEqual(60);

  const second = await serve(dataDir);
  const again = await Promise.all(names.map(async (name) => ({ name, ...(await order(second.url, name)) })));
  for (const { name, id, replayed } of again) {
    if (accepted.has(name)) expect({ name, id, replayed }).toEqual({ name, id: accepted.get(name), replayed: true });
  }
  const listed = new Set<string>();
  for (let token = ''; ; ) {
    const page = await fetch(`${second.url}/v3/framework/renders?limit=100${token && `&token=${token}`}`, { headers });
    const { data, next_token } = await page.json();
    for (const { render_id } of data) listed.add(render_id);
    if (next_token === null) break;
    token = next_token;
  }
  expect([...listed].sort()).toEqual(again.map(({ id }) => id).sort());
  expect(readdirSync(join(dataDir, 'objects', 'assets'))).toEqual([`${asset_id}.zip`]);
  expect((await upload(second.url)).status).toBe(200);

  second.child.kill('SIGTERM');
  expect(await once(second.child, 'exit')).toEqual([0, null]);
});

test('commands that are the first on a folder, all at once, make the tables once', async () => {
  const dataDir = await testFolder();
  const emails = ['ann', 'ben', 'cat'].map((name) => `${name}@example.com`);
  await Promise.all(
    emails.map((email) => run(dataDir, ['serve', 'account', 'add', '--email', email], 'correct horse\n')),
  );
  for (const email of emails)
    expect(await run(dataDir, ['serve', 'credits', '--email', email])).toBe(`${email} has 600 credits.\n`);
});
