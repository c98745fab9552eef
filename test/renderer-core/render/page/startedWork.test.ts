// Work that scripts start during the video and the browser does meanwhile: the frame of its time shows its result.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  checkCells,
  checkCuts,
  cutSeconds,
  green,
  packaged,
  page,
  png,
  readCell,
  renderFrames,
} from '../../../support/renders/frames.ts';
import { core, soak } from '../../../support/suites.ts';

/** Each calls `done` when it has ended. */
const works: Record<string, string> = {
  'a request': 'fetch("a.json").then((response) => response.json()).then(done)',
  'a chain of requests':
    '(async () => { for (let i = 0; i < 5; i++) await (await fetch("a.json?" + i)).json(); done() })()',
  'an XMLHttpRequest': 'const r = new XMLHttpRequest(); r.onload = done; r.open("GET", "a.json?x"); r.send()',
  'an image': 'const i = new Image(); i.onload = done; i.src = "a.png"',
  'an image after another':
    'const i = new Image(); i.onload = () => { const k = new Image(); k.onload = done; k.src = "a.png?2" }; i.src = "a.png?1"',
  'an image of inserted markup':
    'window.shown = done; document.body.insertAdjacentHTML("beforeend", `<img hidden src="a.png?3" onload="shown()">`)',
  'an image that cannot be loaded': 'const i = new Image(); i.onerror = done; i.src = "data:,"',
  'a decoded image': 'const i = new Image(); i.src = "a.png?4"; i.decode().then(done)',
  'a bitmap': 'fetch("a.png?5").then((r) => r.blob()).then((b) => createImageBitmap(b)).then(done)',
  'a file reader': 'const r = new FileReader(); r.onload = done; r.readAsText(new Blob(["x"]))',
  'a file of a canvas': 'const c = document.createElement("canvas"); c.getContext("2d"); c.toBlob(done)',
  'a file of a canvas outside of the page':
    'const c = new OffscreenCanvas(9, 9); c.getContext("2d"); c.convertToBlob().then(done)',
  'a digest': 'crypto.subtle.digest("SHA-256", new Uint8Array(9e6)).then(done)',
  'a font': 'new FontFace("F", "url(f.woff2)").load().then(done)',
  'decoded sound': 'new OfflineAudioContext(1, 8000, 8000).decodeAudioData(wav()).then(done)',
  'a database':
    'const r = indexedDB.open("k", 1); r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = () => { const t = r.result.transaction("s", "readwrite"); t.objectStore("s").put(1, 2).onsuccess = () => { t.objectStore("s").get(2).onsuccess = done } }',
  'a style sheet':
    'const l = document.createElement("link"); l.rel = "stylesheet"; l.onload = done; l.href = "a.css"; document.head.append(l)',
  'a script': 'window.ran = done; const s = document.createElement("script"); s.src = "a.js"; document.head.append(s)',
  'a medium outside of the page':
    'const a = document.createElement("audio"); a.onloadedmetadata = a.onerror = done; a.src = "data:audio/wav,"',
};

const files = {
  'a.json': '{"n":1}',
  'a.png': png([255, 0, 0], 1500),
  'a.css': 'i{}',
  'a.js': 'ran()',
  'f.woff2': packaged('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
};

const wav =
  'const wav = () => Uint8Array.from(atob("UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="), (c) => c.charCodeAt(0)).buffer;';

test('shows what imports return in the frame of their time', async () => {
  // Each module imports the next one, which takes longer than a frame.
  const modules = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `m${index}.mjs`,
      index % 2 === 0
        ? `export { done } from "./m${index + 1}.mjs"`
        : `export const { done } = await import("./m${index + 1}.mjs")`,
    ]),
  );
  const script = `setTimeout(() => import('./m0.mjs').then(({ done }) => done()), 200)`;
  await checkCells(
    {
      'index.html': page(`<script>${script}</script>`, { duration: 0.6 }),
      ...modules,
      'm30.mjs': `export const done = () => cell(0, '${green}')`,
    },
    { 1: ['#000000'], 2: [green], 3: [green] },
  );
});

test('shows the result of what a script starts in the frame of its time', core, async () => {
  const starts = Object.values(works).map(
    (code, index) => `{ const done = () => cell(${index}, '${green}'); ${code} }`,
  );
  const frames = await renderFrames({
    'index.html': page(`<script>${wav} setTimeout(() => { ${starts.join(';')} }, 200)</script>`, {
      duration: 0.4,
      width: 320,
    }),
    ...files,
  });
  const names = Object.keys(works);
  const shownIn = (frame: number) => names.filter((_, index) => readCell(frames[frame], index, 'color') === green);
  expect([0, 1, 2, 3].map(shownIn)).toEqual([[], [], names, names]);
});

test('renders the same frames with any chunks if requests start others', () =>
  checkCuts(
    page(
      `<script>let n = 0; (async () => { for (;;) { n += (await (await fetch('data:application/json,' + n)).json()) % 7 + 1; number(0, n); await new Promise((go) => setTimeout(go, 30)) } })()</script>`,
      { duration: cutSeconds, width: 64, height: 24 },
    ),
  ));

/** The address of a server that never answers. */
async function silentServer(): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Two frames; `code` runs in the second. */
const inSecondFrame = (code: string) => page(`<script>setTimeout(() => { ${code} }, 100)</script>`, { duration: 0.2 });

test('ends with the address and the line of a request that is not answered', soak, async () => {
  const url = `${await silentServer()}/a.json`;
  await expect(renderFrames(inSecondFrame(`fetch("${url}")`))).rejects.toMatchObject({
    code: 'script_error',
    message: `A frame has waited 10 s for what a script has started: ${url}`,
    place: { file: 'index.html', line: expect.any(Number) },
  });
});

test('does not wait for a request that is aborted', async () => {
  const url = `${await silentServer()}/a.json`;
  const code = `const c = new AbortController(); fetch("${url}", { signal: c.signal }).catch(() => 0); c.abort()`;
  expect(await renderFrames(inSecondFrame(code))).toHaveLength(2);
});
