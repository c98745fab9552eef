// A composition before and after elements were extracted to a new file: all frames are equal.
import { expect, test } from 'vitest';
import { filesOf } from '../../support/editor/markup.ts';
import { refactored, unmarked } from '../../support/editor/refactor.ts';
import { renderFrames } from '../../support/renders/frames.ts';
import { allPixels } from '../../support/renders/video.ts';

const declarations = `[{"id":"name","type":"string","label":"Name","default":"Ada & <Grace>"},
  {"id":"tint","type":"color","label":"Tint","default":"#2255cc"},{"id":"size","type":"number","label":"Size","default":22}]`;

const page = (body: string) => `<!doctype html>
<html data-composition-variables='${declarations}'>
<head><style>
  * { box-sizing: border-box; margin: 0 }
  body { width: 320px; height: 180px; background: #fff; font: 16px/1.2 sans-serif; color: #222 }
  .stage { position: relative; width: 320px; height: 180px; display: flex; gap: 8px; align-items: flex-end }
  .card { flex: 1; height: 90px; padding: 6px; background: var(--tint); color: #fff; animation: rise 1s linear both }
  .card .name { font-size: calc(var(--size) * 1px); letter-spacing: 1px }
  .tag { position: absolute; right: 4px; top: 4px; width: 24px; height: 24px; background: tomato }
  .name { text-transform: uppercase }
  @keyframes rise { from { transform: translateY(80px) } }
</style></head>
<body>
<div class="stage" data-composition-id="main" data-width="320" data-height="180" data-duration="2">
${body}
  <div class="tag"></div>
</div>
<script>
  const { tint } = window.__framework.getVariables();
  document.querySelector('.tag').style.borderTop = '4px solid ' + tint;
  requestAnimationFrame(function draw(time) {
    for (const one of document.querySelectorAll('.name')) one.style.opacity = 0.4 + time / 4000;
    requestAnimationFrame(draw);
  });
</script>
</body></html>
`;

/** The pixels of each frame. */
async function frames(files: Record<string, string>): Promise<string[]> {
  const variables = { name: 'Alan', tint: '#aa2255' };
  return (await renderFrames(files, { fps: '5', variables })).map(allPixels);
}

/** The numbers of the frames that differ. */
const different = (old: readonly string[], now: readonly string[]) =>
  old.flatMap((pixels, index) => (pixels === now[index] ? [] : [index]));

test.each([
  [
    'a clip in a flex row that contains styles, variables and clips',
    `  <i id="pause" data-start="0" data-duration="0.4"></i>
  <section class="c«»ard" id="card" data-start="pause" data-duration="1.2" data-track-index="1">
    <h1 class="name" data-var-text="name">Somebody</h1>
    <p data-start="0.8" data-duration="0.4">later</p>
    <p data-start="pause + 0.6" data-duration="0.4">and later</p>
  </section>
  <section class="card"><p class="name">stays</p></section>`,
  ],
  [
    'several elements',
    `  «<section class="card" data-start="0.2" data-duration="1"><p class="name" data-var-text="name">x</p></section>
  <section class="card" data-start="0.6" data-duration="1"><div class="tag"></div></section>»`,
  ],
])('keeps the frames of %s', async (_, body) => {
  const source = page(body);
  const after = Object.fromEntries(filesOf(refactored(source, /^Extract/)));
  expect(Object.keys(after)).toHaveLength(2);
  const [old, now] = [await frames({ 'index.html': unmarked(source) }), await frames(after)];
  expect(now).toHaveLength(10);
  expect(different(old, now)).toEqual([]);
  expect(new Set(old).size).toBeGreaterThan(5);
});

test.each([
  ['a text', page('  <p class="name">«Ada &amp; Grace»</p>')],
  ['a part of a text', page('  <p class="name">Ada «&amp; Grace»</p>')],
  ['a color', page('  <section class="card" style="background: «teal»">x</section>')],
  ['a size', page('  <section class="card" style="border-width: «0.5em»; border-style: solid">x</section>')],
])('keeps the frames of a variable made of %s', async (_, source) => {
  const [old, now] = [
    await frames({ 'index.html': unmarked(source) }),
    await frames({ 'index.html': refactored(source, /^Add variable/) }),
  ];
  expect(now).toHaveLength(old.length);
  expect(different(old, now)).toEqual([]);
});
