// The virtual clock, seeded randomness, what the first frame waits for, and renders in chunks.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  black,
  cases,
  checkCells,
  checkCuts,
  cutSeconds,
  type Files,
  mount,
  page,
  png,
  red,
  register,
  renderFrames,
  withGsap,
} from '../../../support/renders/frames.ts';
import { core } from '../../../support/suites.ts';

/** A page that runs `code` in each frame. `t` is the time stamp of the animation frame. */
const everyFrame = (code: string, before = '') =>
  page(`<script>${before};(function frame(t) { ${code}; requestAnimationFrame(frame); })(performance.now())</script>`, {
    duration: 0.5,
  });

describe('the virtual clock', () => {
  const epoch = Date.UTC(2025, 0, 1);
  cases([
    [
      'the frame time in performance.now, animation frames, document.timeline and Date',
      everyFrame(`[performance.now(), t, document.timeline.currentTime, Date.now() - ${epoch}, new Date().getTime() - ${epoch}, new Date(2020, 1, 2).getMonth(), new Date() instanceof Date ? 1 : 2]
        .forEach((value, index) => number(index, value))`),
      { 0: [0, 0, 0, 0, 0, 1, 1], 1: [100, 100, 100, 100, 100, 1, 1], 4: [400, 400, 400, 400, 400, 1, 1] },
    ],
    [
      'setTimeout',
      everyFrame('', 'setTimeout(() => number(0, performance.now()), 250); setTimeout((n) => number(1, n), 100, 42)'),
      { 0: [0, 0], 1: [0, 42], 2: [0, 42], 3: [250, 42] },
    ],
    [
      'timers in the order of their times, then of their creation',
      everyFrame(
        '',
        'let order = 0; const put = (n) => () => { order = order * 10 + n; number(0, order) }; setTimeout(put(3), 90); setTimeout(put(1), 10); setTimeout(put(2), 10); setTimeout(() => { put(4)(); setTimeout(put(5), 1) }, 95)',
      ),
      { 0: [0], 1: [12345] },
    ],
    [
      'setInterval',
      everyFrame(
        '',
        'let n = 0; setInterval(() => number(0, ++n), 30); let m = 0; const id = setInterval(() => { number(1, ++m); if (m === 5) clearInterval(id) }, 20)',
      ),
      { 0: [0, 0], 1: [3, 5], 2: [6, 5], 3: [10, 5] },
    ],
    [
      'no cleared timeout and no cancelled animation frame',
      everyFrame(
        '',
        'const id = setTimeout(() => cell(0, "red"), 50); clearTimeout(id); let late; requestAnimationFrame(() => cancelAnimationFrame(late)); late = requestAnimationFrame(() => cell(1, "red"))',
      ),
      { 4: [black, black] },
    ],
    [
      'a loop of timeouts without delay',
      everyFrame('', 'let n = 0; (function loop() { number(0, ++n); setTimeout(loop, 0) })()'),
      { 1: [31], 2: [56] },
    ],
    [
      'an async loop of timeouts',
      everyFrame(
        '',
        'let n = 0; (async () => { for (;;) { await new Promise((go) => setTimeout(go, 10)); number(0, ++n) } })()',
      ),
      { 0: [0], 1: [10], 4: [40] },
    ],
    [
      'an async loop of animation frames',
      everyFrame(
        '',
        'let n = 0; (async () => { for (;;) { await new Promise(requestAnimationFrame); number(0, ++n) } })()',
      ),
      { 0: [1], 1: [2], 4: [5] },
    ],
  ]);
});

describe('the other clocks', () => {
  /** Each is 0 at the start, and counts milliseconds. */
  const clocks: Record<string, string> = {
    'a format without a date': 'Number(f.format())',
    'the parts of a format without a date': 'Number(f.formatToParts().at(-1).value)',
    'Temporal.Now.instant()': 'Temporal.Now.instant().epochMilliseconds - performance.timeOrigin',
    'Temporal.Now.plainTimeISO()': 'Temporal.Now.plainTimeISO().millisecond',
    'a mark': 'performance.mark("now").startTime',
    'a measure': 'performance.measure("all", "start").duration',
    'an event': 'new Event("a").timeStamp',
    'an AudioContext': 'audio.currentTime * 1000',
    'the time since the navigation': 'Date.now() - performance.timing.navigationStart',
  };
  /** These do not change. */
  const others: Record<string, [script: string, value: number]> = {
    'the first event': ['first.timeStamp', 0],
    'the function of a format': ['f.format === f.format ? 1 : 2', 1],
    'the start of a resource': ['performance.getEntriesByType("navigation")[0].loadEventEnd', 0],
    'the document': [`Date.parse(document.lastModified + ' UTC') - ${Date.UTC(2025, 0, 1)}`, 0],
  };
  const scripts = [...Object.values(clocks), ...Object.values(others).map(([script]) => script)];
  const at = (ms: number) => [...Object.keys(clocks).map(() => ms), ...Object.values(others).map(([, value]) => value)];
  cases([
    [
      [...Object.keys(clocks), ...Object.keys(others)].join(', '),
      page(
        `<script>const f = new Intl.DateTimeFormat('en-US', { fractionalSecondDigits: 3 }); performance.mark('start'); const first = new Event('a'); first.timeStamp; const audio = new AudioContext();
        (function frame() { [${scripts.join()}].forEach((value, index) => number(index, value)); requestAnimationFrame(frame); })()</script>`,
        { duration: 0.5, width: 160 },
      ),
      { 0: at(0), 3: at(300) },
    ],
    [
      'tasks and signals with a delay',
      everyFrame(
        '',
        'scheduler.postTask(() => number(0, performance.now()), { delay: 150 }); AbortSignal.timeout(250).addEventListener("abort", ({ target }) => number(1, target.reason.name === "TimeoutError" ? performance.now() : 1)); const c = new AbortController(); scheduler.postTask(() => number(2, 9), { delay: 100, signal: c.signal }).catch(() => number(2, 7)); c.abort()',
      ),
      { 0: [0, 0, 7], 2: [150, 0, 7], 3: [150, 250, 7] },
    ],
  ]);
});

describe('the time zone and the language', () => {
  const script = `<script>number(0, new Date().getHours()); number(1, (1.5).toLocaleString() === '1,5' ? 1 : 2); number(2, navigator.language === 'de-DE' ? 1 : 2);
    const worker = new Worker(URL.createObjectURL(new Blob(["postMessage([new Date(0).getHours(), (1.5).toLocaleString() === '1,5' ? 1 : 2])"])));
    worker.onmessage = ({ data }) => data.forEach((value, index) => number(3 + index, value))</script>`;
  cases([
    ['the defaults', page(script, { duration: 0.5 }), { 4: [0, 2, 2, 0, 2] }],
    [
      'those of the root',
      page(script, { duration: 0.5, attributes: 'data-timezone="Asia/Tokyo" data-locale="de-DE"' }),
      { 4: [9, 1, 1, 9, 1] },
    ],
    [
      'those of the options',
      page(script, { duration: 0.5, attributes: 'data-timezone="Asia/Tokyo"' }),
      { 4: [1, 1, 1, 1, 1] },
      { timezone: 'Europe/Berlin', locale: 'de-DE' },
    ],
  ]);
});

describe('Math.random and crypto', () => {
  const random = page(`<script>const bytes = crypto.getRandomValues(new Uint8Array(3));
    number(0, Math.random() * 0xffffff); number(1, (bytes[0] << 16) + (bytes[1] << 8) + bytes[2]); number(2, parseInt(crypto.randomUUID().slice(0, 6), 16)); number(3, Math.random() * 0xffffff)</script>`);
  test('returns the same numbers in every render', async () => {
    const [first, second] = [await renderFrames(random), await renderFrames(random)];
    const row = (frames: typeof first) => [4, 12, 20, 28].map((x) => frames[0]?.at(x, 4).join());
    expect(row(first)).toEqual(row(second));
    expect(new Set(row(first)).size).toBe(4);
  });
});

describe('frames that wait until content is loaded', () => {
  const font = readFileSync(
    new URL('../../../../examples/data-chart/fonts/geist-mono-latin-wght-normal.woff2', import.meta.url),
  );
  cases([
    [
      'data that a script fetches',
      {
        'index.html': page(`<script>fetch('data.json').then((r) => r.json()).then(({ n }) => number(0, n))</script>`),
        'data.json': '{"n":77}',
      },
      { 0: [77] },
    ],
    [
      'data from a second request that depends on the first',
      {
        'index.html': page(
          `<script>(async () => { const { next } = await (await fetch('a.json')).json(); const r = new XMLHttpRequest(); r.open('GET', next); r.onload = () => number(0, JSON.parse(r.responseText).n); r.send() })()</script>`,
        ),
        'a.json': '{"next":"b.json"}',
        'b.json': '{"n":78}',
      },
      { 0: [78] },
    ],
    [
      'the result of timeouts of 0',
      page('<script>setTimeout(() => setTimeout(() => number(0, 79), 0), 0)</script>'),
      { 0: [79] },
    ],
    [
      'fonts, including unused ones',
      {
        'index.html':
          page(`<style>@font-face{font-family:Mono;src:url(f.woff2)}</style><script>requestAnimationFrame(() => {
          const p = document.createElement('span'); p.textContent = 'iiii'; p.style.cssText = 'font:100px Mono,serif'; document.body.append(p);
          number(0, document.fonts.check('10px Mono') ? 1 : 2); number(1, p.getBoundingClientRect().width) })</script>`),
        'f.woff2': font,
      },
      { 0: [1, 240] },
    ],
    [
      'images, including lazy ones',
      {
        'index.html': page(
          '<img src="a.png" loading="lazy" style="position:absolute;top:0;left:0"><div style="position:absolute;top:0;left:8px;width:8px;height:8px;background:url(a.png)"></div>',
        ),
        'a.png': png([255, 0, 0], 2000),
      },
      { 0: [red, red] },
    ],
    [
      'images that a later frame adds',
      {
        'index.html': page(
          `<script>setTimeout(() => {
          const image = new Image(); image.src = 'a.png'; image.style.cssText = 'position:absolute;top:0;left:0;width:8px;height:8px'; document.body.append(image) }, 200)</script>`,
          { duration: 0.5 },
        ),
        'a.png': png([255, 0, 0], 2000),
      },
      { 1: [black], 2: [red], 4: [red] },
    ],
    [
      'the result of a module script',
      page('<script type="module">await new Promise((go) => setTimeout(go, 0)); number(0, 80)</script>'),
      { 0: [80] },
    ],
  ]);
});

describe('a root without data-duration', () => {
  const length = async (files: Files) => (await renderFrames(files)).length;
  test('uses the duration of its timeline', async () =>
    expect(
      await length(
        withGsap(
          page(`<script src="gsap.js"></script><script>${register()} tl.to({}, { duration: 0.7 })</script>`, {
            duration: null,
          }),
        ),
      ),
    ).toBe(7));
  test('uses the end of its last clip if it has no timeline', core, async () =>
    expect(
      await length(
        page(
          '<div data-start="0.2" data-duration="0.3" id="a"></div><div data-start="a + 0.1" data-duration="0.2"></div>',
          { duration: null },
        ),
      ),
    ).toBe(8),
  );
  test('uses the end of the timeline of an embedded composition', async () =>
    expect(
      await length(
        withGsap(
          page(`${mount('m.html', {}, 'data-start="0.4"')}<script src="gsap.js"></script>`, { duration: null }),
          {
            'm.html':
              '<div data-composition-id="m"><script>window.__timelines.m = gsap.timeline({ paused: true }).to({}, { duration: 0.5 })</script></div>',
          },
        ),
      ),
    ).toBe(9));
});

describe('the first frame does not wait for', () => {
  cases([
    [
      'scripts and style sheets that the browser does not load: moved, parsed by a script, disabled',
      {
        'index.html': page(
          `<script src="a.js"></script><script>addEventListener('load', () => { document.body.append(document.querySelector('script[src]'));
          root.insertAdjacentHTML('beforeend', '<script src="a.js"><\\/script><link rel="stylesheet" href="a.css" disabled>'); number(0, runs) })</script>`,
        ),
        'a.js': 'window.runs = (window.runs ?? 0) + 1',
        'a.css': '',
      },
      { 0: [1] },
    ],
  ]);
});

describe('work that scripts post after an animation frame or a timer', () => {
  const channel =
    'const { port1, port2 } = new MessageChannel(); const queue = []; port1.onmessage = () => queue.shift()(); const post = (work) => { queue.push(work); port2.postMessage(0) };';
  const times = { 0: [0], 1: [100], 2: [200], 4: [400] };
  cases([
    ['a message', everyFrame('post(() => number(0, t))', channel), times],
    ['a message of a message', everyFrame('post(() => post(() => post(() => number(0, t))))', channel), times],
    [
      'many messages',
      everyFrame('let n = 0; for (let i = 0; i < 99; i++) post(() => { if (++n === 99) number(0, t) })', channel),
      times,
    ],
    [
      'a message to a listener',
      everyFrame(
        'port2.postMessage(t)',
        'const { port1, port2 } = new MessageChannel(); port1.addEventListener("message", ({ data }) => number(0, data)); port1.start()',
      ),
      times,
    ],
    [
      'a message of the window',
      everyFrame('postMessage(t, location.origin)', 'addEventListener("message", ({ data }) => number(0, data))'),
      times,
    ],
    ['a task', everyFrame('scheduler.postTask(() => number(0, t))'), times],
    ['a task of low priority', everyFrame('scheduler.postTask(() => number(0, t), { priority: "background" })'), times],
    [
      'a task after a message and a promise',
      everyFrame('post(() => Promise.resolve().then(() => scheduler.postTask(() => number(0, t))))', channel),
      times,
    ],
    [
      'what follows scheduler.yield',
      everyFrame('(async () => { await scheduler.yield(); await scheduler.yield(); number(0, t) })()'),
      times,
    ],
    [
      'a message before the next timer',
      everyFrame(
        '',
        `${channel} let last = 0; setInterval(() => { const now = performance.now(); number(0, last * 1000 + now); post(() => { last = now }) }, 50)`,
      ),
      { 1: [50100], 2: [150200] },
    ],
    ['a message at the start', page(`<script>${channel} post(() => post(() => number(0, 7)))</script>`), { 0: [7] }],
    [
      'messages and tasks of a mount',
      {
        'index.html': page(mount('m.html', {}), { duration: 0.5 }),
        'm.html': `<div data-composition-id="m"><script>${channel} addEventListener('message', ({ data }) => number(1, data));
(function frame(t) { post(() => number(0, t)); window.postMessage(t, '*'); scheduler.postTask(() => number(2, t)); requestAnimationFrame(frame) })(0)</script></div>`,
      },
      { 0: [0, 0, 0], 1: [100, 100, 100], 4: [400, 400, 400] },
    ],
    [
      'the source of a message that a frame in the page sends',
      page(
        `<iframe srcdoc="<script>parent.postMessage(1, '*')</script>" style="display:none"></iframe><script>addEventListener('message', ({ source }) => number(0, source === document.querySelector('iframe').contentWindow ? 1 : 2))</script>`,
      ),
      { 0: [1] },
    ],
    [
      'messages that never arrive: to a port that is not started, is closed or belongs to a worker, and a task that is aborted',
      everyFrame(
        'number(0, t); idle.port2.postMessage(0); closed.port2.postMessage(0); sent.port2.postMessage(0); postMessage(0, "https://example.com"); const aborted = new AbortController(); scheduler.postTask(() => 0, { signal: aborted.signal }).catch(() => 0); aborted.abort()',
        'const [idle, closed, sent] = [1, 2, 3].map(() => new MessageChannel()); closed.port1.onmessage = () => 0; closed.port1.close(); sent.port1.onmessage = () => 0; new Worker(URL.createObjectURL(new Blob(["0"]))).postMessage(0, [sent.port1])',
      ),
      times,
    ],
  ]);

  test('reports the error of a task', core, () =>
    expect(
      renderFrames(page('<script>scheduler.postTask(() => { throw new Error("in a task") })</script>')),
    ).rejects.toThrow(/in a task/),
  );

  test('warns if it never ends', async () => {
    const warnings: string[] = [];
    const endless = everyFrame('number(0, t)', `${channel} const again = () => post(again); again()`);
    await checkCells(endless, times, { onEvent: (event) => event.type === 'warning' && warnings.push(event.message) });
    expect(warnings).toEqual([
      'A script of the composition posts messages or tasks without end, so frames wait for only some of them and may differ in the next render. Use requestAnimationFrame for work that is repeated.',
    ]);
  });
});

describe('renders the same frames with any chunks', () => {
  const identical = (script: string, head = '') =>
    checkCuts(
      page(
        `<div id="a" style="position:absolute;top:16px;width:8px;height:8px;background:lime"></div><script>${script}</script>`,
        { duration: cutSeconds, width: 64, height: 24, head },
      ),
    );
  test('if each frame depends on the one before', core, () =>
    identical(
      'let n = 0; (function frame() { n = (n * 31 + 7 + Math.random() * 100) % 0xffffff; number(0, n); requestAnimationFrame(frame) })()',
    ),
  );
  test('if state changes in promises', () =>
    identical(
      'let n = 0; (async () => { for (;;) { await new Promise(requestAnimationFrame); await null; await null; number(0, ++n); await new Promise((go) => setTimeout(go, 25)); number(1, performance.now()) } })()',
    ));
  test('if animations start each other', () =>
    identical(
      `const a = document.getElementById('a'); let n = 0; (async () => { for (;;) { await a.animate({ transform: ['none', 'translateX(50px)'] }, 700).finished; number(0, ++n) } })();
      addEventListener('transitionend', () => { number(1, performance.now()); flip() }); const flip = () => { a.style.opacity = a.style.opacity === '0.5' ? '1' : '0.5' }; setTimeout(flip, 50)`,
      '<style>#a{transition:opacity 0.9s}</style>',
    ));
});
