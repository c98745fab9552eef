// The MCP server in a real process: every tool, and the paths that it rejects.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { browsersOf, startAgent } from '../support/agent.ts';
import { composition, project, temporaryFolder, writeFiles } from '../support/project.ts';
import { silence } from '../support/renders/wav.ts';
import { startHost } from '../support/servers/host.ts';

const title = { id: 'title', type: 'string', label: 'Title', default: 'Hello', maxLength: 20 };
const good = composition('<p data-var-text="title" style="color:#fff"></p>', { variables: [title] });
const red = (duration: number) => composition('<style>html,body{background:#f00!important}</style>', { duration });

describe('the server', () => {
  test('lists tools with schemas, documentation, compositions and a prompt', async () => {
    const folder = project({ 'one/index.html': good, 'two/index.html': good });
    const { client } = await startAgent([folder]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'lint',
      'list_compositions',
      'list_variables',
      'snapshot',
      'check',
      'list_sounds',
      'render',
      'render_batch',
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(80);
      const fields = Object.values(inputSchema.properties ?? {}) as { description?: string }[];
      expect(fields.filter((field) => !field.description)).toEqual([]);
    }
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(['framework://docs/compositions.md', 'framework://docs/rules.md']));
    expect(uris).toContain(`file://${folder}/two/index.html`);
    const page = await client.readResource({ uri: 'framework://docs/compositions.md' });
    expect(page.contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('data-composition-id'),
    });
    const file = await client.readResource({ uri: `file://${folder}/one/index.html` });
    expect(file.contents[0]).toMatchObject({ text: good });
    const { messages } = await client.getPrompt({ name: 'make-composition', arguments: { idea: 'A red door' } });
    expect(JSON.stringify(messages)).toContain('A red door');
  });
});

test('with --network public, pages get no files of this machine', async () => {
  const host = await startHost({ '/a.png': { body: '' } });
  const page = composition(`<img src="${host.origin}/a.png">`, { duration: 0.1 });
  const folder = project({ 'index.html': page, 'good.html': composition('', { duration: 0.1 }) });
  const agent = await startAgent([folder, '--network', 'public']);
  for (const tool of ['snapshot', 'render']) {
    const answer = await agent.call(tool, { project: join(folder, 'index.html') });
    expect(answer.text).toContain('is not an address of the public internet');
    expect(await agent.call(tool, { project: join(folder, 'good.html') })).toMatchObject({ isError: false });
  }
  expect(host.requests).toEqual([]);
});

describe('tools', () => {
  test('lint returns findings with locations, and applies fixes', async () => {
    const folder = project({ 'index.html': composition('<p data-var-text="titel"></p>', { variables: [title] }) });
    const agent = await startAgent([folder]);
    const found = await agent.call('lint');
    expect(found.isError).toBe(false);
    expect(found.text).toMatch(/index\.html:4:19 warning .*"titel".*\(undeclared-binding\)\. Fix: Change to "title"/);
    expect(found.data.findings[0]).toMatchObject({ file: 'index.html', line: 4, column: 19 });
    expect(found.data.findings[0].fixes[0].edits).toMatchObject([{ start: { line: 4, column: 19 }, newText: 'title' }]);
    const { label, ...unlabelled } = title;
    writeFiles(folder, { 'index.html': composition('<p data-var-text="title"></p>', { variables: [unlabelled] }) });
    const fixed = await agent.call('lint', { fix: true });
    expect(fixed.data).toMatchObject({ fixed: [{ file: 'index.html' }], counts: { error: 0 }, findings: [] });
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain(`"label":"${label}"`);
    const wrong = await agent.call('lint', { rules: { 'no-such-rule': 'off' } });
    expect(wrong).toMatchObject({ isError: true, data: { error: { code: 'usage' } } });
  });

  test('list_compositions and list_variables describe a project', async () => {
    const main = composition('<div data-composition-src="part.html" data-start="0"></div>');
    const folder = project({ 'p/index.html': main, 'p/part.html': good });
    const agent = await startAgent([folder]);
    const { data } = await agent.call('list_compositions');
    expect(data.compositions).toMatchObject([
      { file: 'p/index.html', project: 'p', width: 64, duration: 1, variables: 0, embeds: [{ file: 'p/part.html' }] },
      { file: 'p/part.html', composition: 'part.html', variables: 1, embeddedBy: ['p/index.html'] },
    ]);
    const variables = await agent.call('list_variables', { project: 'p', composition: 'part.html' });
    expect(variables.data.compositions).toMatchObject([{ file: 'part.html', variables: [title] }]);
    expect(variables.text).toContain('title (string, "Title"): default "Hello", maxLength 20');
    expect(await agent.call('list_variables', { composition: 'none.html', project: 'p' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('part.html'),
    });
  });

  test('snapshot shows the current files in one browser, which is closed with the server', async () => {
    const folder = project({ 'index.html': good });
    const agent = await startAgent([folder]);
    const one = await agent.call('snapshot', { at: [0.5], variables: { title: 'Other' } });
    expect(one).toMatchObject({ isError: false, images: [{ mimeType: 'image/jpeg' }] });
    expect(one.data).toMatchObject({ frames: 30, picture: { frames: [{ frame: 15, seconds: 0.5 }], width: 64 } });
    const before = browsersOf(agent.pid).length;
    expect(before).toBeGreaterThan(0);
    const pictures = new Set<string>();
    for (let round = 0; round < 6; round++) {
      writeFiles(folder, { 'index.html': composition(`<h1 style="color:#fff">${round}</h1>`) });
      const { images, isError } = await agent.call('snapshot', { at: ['0%'], output: 'shots/now.png' });
      expect(isError).toBe(false);
      pictures.add(images[0]?.data.toString('base64') ?? '');
    }
    expect(pictures.size).toBe(6);
    expect(readdirSync(join(folder, 'shots'))).toEqual(['now.png']);
    expect(browsersOf(agent.pid).length).toBeLessThanOrEqual(before + 2);
    await agent.close();
    await expect.poll(() => browsersOf(agent.pid), { timeout: 60_000 }).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`framework-render-${agent.pid}-`))).toEqual([]);
  });

  test('snapshot combines several times into one sheet, and reports page errors with their line', async () => {
    const folder = project({ 'index.html': good, 'bad.html': composition('<script>\nnope();</script>') });
    const agent = await startAgent([folder]);
    const sheet = await agent.call('snapshot', { at: ['0%', '12f', '100%'] });
    expect(sheet.images).toHaveLength(1);
    expect(sheet.data.picture.frames.map(({ frame }: { frame: number }) => frame)).toEqual([0, 12, 29]);
    const bad = await agent.call('snapshot', { composition: 'bad.html' });
    expect(bad).toMatchObject({ isError: true, text: expect.stringMatching(/^bad\.html:5:1: .*nope.*\nHint: /s) });
    expect((await agent.call('snapshot', { at: ['99'] })).text).toContain('99 is after the end');
    expect((await agent.call('snapshot', { at: [0] })).isError).toBe(false);
  });

  test('list_sounds returns what is heard, with an image', async () => {
    const audio = '<audio id="a" src="a.wav" data-start="0.5"></audio>';
    const folder = project({ 'index.html': composition(audio), 'a.wav': silence(0.25) });
    const { text, images, data } = await (await startAgent([folder])).call('list_sounds', {});
    expect(text).toMatch(/^0\.50 s +0\.75 s +silent +<audio id="a"> +a\.wav$/m);
    expect(images).toHaveLength(1);
    expect(data.sounds).toMatchObject([{ start: 0.5, end: 0.75 }]);
  });

  test('check returns findings with their lines and an image, also for rows', async () => {
    const variables = [{ id: 'title', type: 'string', label: 'Title', default: 'Hi' }];
    const files = { 'index.html': composition('<p style="color:#fff" data-var-text="title"></p>', { variables }) };
    const agent = await startAgent([project(files)]);
    const options = { timeout: 120_000 };
    expect(await agent.call('check', {}, options)).toMatchObject({
      isError: false,
      text: 'No problems found in 5 frames.',
    });
    const { text, images, data } = await agent.call('check', { rows: [{ title: 'Incomprehensibilities' }] }, options);
    expect(text).toMatch(
      /^index\.html:4:1 warning “Incomprehensibilities” leaves the frame .*\(rows 1\) \[text-outside-frame\]$/,
    );
    expect(images).toHaveLength(1);
    expect(data.findings[0]).toMatchObject({ doc: 'docs/check.md#text-outside-frame' });
    expect((await agent.call('check', { rows: '../rows.json' }, options)).isError).toBe(true);
  });

  test('render reports progress and the path of the video', async () => {
    const folder = project({ 'index.html': red(2) });
    const agent = await startAgent([folder]);
    const events: { progress: number; total?: number | undefined }[] = [];
    const onprogress = (one: { progress: number; total?: number | undefined }) => events.push(one);
    const { data, text, isError } = await agent.call('render', { quality: 'draft' }, { onprogress, timeout: 120_000 });
    expect({ isError, text }).toMatchObject({ isError: false });
    expect(data).toMatchObject({ output: join(folder, 'renders/index.mp4'), frames: 60, durationSeconds: 2 });
    expect(existsSync(data.output)).toBe(true);
    expect(events.at(-1)).toMatchObject({ progress: 60, total: 60 });
    expect(events.map(({ progress }) => progress)).toEqual(
      [...events.map(({ progress }) => progress)].sort((a, b) => a - b),
    );
  });

  test('a cancelled render closes its browser and leaves no file', async () => {
    const folder = project({
      'index.html': composition('<b id="b">0</b><script>setInterval(() => b.append("."), 10)</script>', {
        duration: 600,
      }),
    });
    const agent = await startAgent([folder]);
    const stop = new AbortController();
    const onprogress = ({ total }: { total?: number | undefined }) => total !== undefined && stop.abort();
    const options = { onprogress, signal: stop.signal, timeout: 120_000 };
    await expect(agent.call('render', {}, options)).rejects.toThrow();
    await expect.poll(() => browsersOf(agent.pid), { timeout: 60_000 }).toEqual([]);
    expect(readdirSync(join(folder, 'renders'))).toEqual([]);
    expect((await agent.call('list_compositions')).isError).toBe(false);
  });

  test('a cancelled snapshot closes its browser, and the next one starts another', async () => {
    const body = '<b id="b">0</b><script>setInterval(() => b.append("."), 10)</script>';
    const folder = project({ 'index.html': composition(body, { duration: 3600 }) });
    const agent = await startAgent([folder]);
    const stop = new AbortController();
    const onprogress = ({ message = '' }: { message?: string | undefined }) =>
      message.startsWith('Taking') && stop.abort();
    const options = { onprogress, signal: stop.signal, timeout: 120_000 };
    await expect(agent.call('snapshot', { at: ['100%'] }, options)).rejects.toThrow();
    await expect.poll(() => browsersOf(agent.pid), { timeout: 60_000 }).toEqual([]);
    expect((await agent.call('snapshot', { at: [0] }, { timeout: 120_000 })).images).toHaveLength(1);
  });

  test('render_batch renders each row', async () => {
    const folder = project({ 'index.html': good, 'rows.json': '[{"title":"A"},{"title":"B"}]' });
    const agent = await startAgent([folder]);
    const options = { timeout: 120_000 };
    const batch = await agent.call('render_batch', { rows: 'rows.json', output: 'out/{title}.mp4' }, options);
    expect(batch).toMatchObject({ isError: false, data: { total: 2, completed: 2, failed: 0 } });
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['A.mp4', 'B.mp4', 'manifest.json']);
    const again = { rows: 'rows.json', output: 'out/{title}.mp4' };
    expect((await agent.call('render_batch', { ...again, resume: true }, options)).data.rows).toEqual([]);
    writeFiles(folder, { 'index.html': `${good}<!-- changed -->` });
    const kept = await agent.call('render_batch', { ...again, resume: 'completed' }, options);
    expect(kept).toMatchObject({ isError: false, data: { completed: 2, rows: [] } });
    const wrong = await agent.call('render_batch', { rows: [{ other: 1 }], strict: true }, options);
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('other') });
  });
});

describe('folders', () => {
  test('rejects every path outside: relative, absolute or through links', async () => {
    const top = temporaryFolder();
    const work = join(top, 'work');
    writeFiles(top, { 'work/index.html': good, 'secret/index.html': good, 'secret/rows.json': '[{"title":"A"}]' });
    symlinkSync(join(top, 'secret'), join(work, 'link'));
    symlinkSync(join(top, 'secret/index.html'), join(work, 'linked.html'));
    mkdirSync(join(top, 'empty'));
    symlinkSync(join(top, 'empty/A.mp4'), join(work, 'A.mp4'));
    const agent = await startAgent([work]);
    const secret = join(top, 'secret');
    const calls: [string, object][] = [
      ...['lint', 'list_compositions', 'list_variables', 'snapshot', 'check', 'list_sounds', 'render'].flatMap(
        (name): [string, object][] => [
          [name, { project: '../secret' }],
          [name, { project: secret }],
          [name, { project: 'link' }],
          [name, { project: 'linked.html' }],
        ],
      ),
      ['snapshot', { composition: '../secret/index.html' }],
      ['snapshot', { composition: 'linked.html' }],
      ['snapshot', { output: '../empty/shot.png' }],
      ['snapshot', { output: 'link/shot.png' }],
      ['render', { output: join(top, 'empty/out.mp4') }],
      ['render', { composition: 'link/index.html' }],
      ['render_batch', { rows: '../secret/rows.json' }],
      ['render_batch', { rows: [{ title: 'A' }], output: '../empty/{title}.mp4' }],
      ['render_batch', { rows: [{ title: '../../empty/A' }], output: 'out/{title}.mp4' }],
      ['render_batch', { rows: [{ title: 'A' }], output: '{title}.mp4' }],
    ];
    for (const [name, input] of calls) {
      const { isError, text } = await agent.call(name, input);
      expect({ name, input, isError }, text).toEqual({ name, input, isError: true });
    }
    for (const path of [
      join(secret, 'index.html'),
      join(work, 'linked.html'),
      '/etc/passwd',
      `${work}/../secret/index.html`,
    ]) {
      await expect(agent.client.readResource({ uri: `file://${path}` })).rejects.toThrow();
    }
    const { label, ...unlabelled } = title;
    const broken = composition('<p data-var-text="title"></p>', { variables: [unlabelled] });
    writeFiles(secret, { 'index.html': broken });
    expect((await agent.call('lint')).data.findings).toEqual([]);
    expect(await agent.call('lint', { fix: true })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is a link'),
    });
    expect(readFileSync(join(secret, 'index.html'), 'utf8')).toBe(broken);
    const listed = await agent.call('list_compositions');
    expect(listed.data.compositions.map(({ file }: { file: string }) => file)).toEqual(['index.html']);
    expect(readdirSync(join(top, 'empty'))).toEqual([]);
    expect(readdirSync(secret).sort()).toEqual(['index.html', 'rows.json']);
  });

  test('uses the roots of the client, or the working directory, if no folder is given', async () => {
    const mine = project({ 'index.html': good });
    const other = project({ 'index.html': good });
    const withRoots = await startAgent([], [mine], other);
    expect((await withRoots.call('list_compositions', { project: mine })).isError).toBe(false);
    expect((await withRoots.call('list_compositions', { project: other })).isError).toBe(true);
    const without = await startAgent([], undefined, other);
    expect((await without.call('list_compositions')).isError).toBe(false);
    expect((await without.call('list_compositions', { project: mine })).isError).toBe(true);
  });

  test('ignores the roots of the client if folders are given', async () => {
    const mine = project({ 'index.html': good });
    const other = project({ 'index.html': good });
    const agent = await startAgent([mine], [other]);
    expect((await agent.call('lint', { project: other })).isError).toBe(true);
    expect((await agent.call('lint')).data.root).toBe(mine);
  });
});

test('returns an error for input that does not match the schema', async () => {
  const agent = await startAgent([project({ 'index.html': good })]);
  const { isError, text } = await agent.call('snapshot', { at: 'now', maxSide: 1 });
  expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('at') });
});
