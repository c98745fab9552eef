// The same render always takes the same path and produces the same bytes. `REPEAT=50` repeats each render that often;
// `npm run bench:repeat` repeats those of the benchmark.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderVideo } from '../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';

const repeats = Number(process.env.REPEAT ?? 3);
const concurrent = 2;

const size = { width: 240, height: 136, duration: 0.5 };

/** A large number with a shadow that changes, grows and turns. */
const counter = `<div id="n" style="font:800 90px sans-serif;color:#fff;text-shadow:0 6px 18px #0af;animation:grow .5s both">0</div>
  <style>@keyframes grow{from{transform:scale(1.3) rotate(-4deg)}to{transform:none}}</style>
  <script>requestAnimationFrame(function count(time) { n.textContent = Math.round(time * 3.7); requestAnimationFrame(count) })</script>`;

/** Layers between pixels, a gradient, a blur and transparency. */
const layers = `<div class="a">Layers</div><div class="a b"></div><style>
  .a{position:absolute;left:20px;top:20px;padding:9px;font:30px serif;color:#fff;background:linear-gradient(90deg,#f40,#04f);
    will-change:transform;animation:go .5s linear both}
  .b{width:50px;height:50px;border-radius:50%;filter:blur(3px);opacity:.7;animation-direction:reverse}
  @keyframes go{to{transform:translate(63.3px,17.7px) rotate(33deg) scale(1.4)}}</style>`;

async function render(projectDir: string) {
  const output = join(temporaryFolder(), 'out.mp4');
  const { capture, workers } = await renderVideo({ projectDir, output, fps: '24' });
  const sha256 = createHash('sha256').update(readFileSync(output)).digest('hex');
  return { path: capture.path, pages: workers.count, sha256 };
}

test.each([
  ['a counter', counter],
  ['layers', layers],
])('produces the same bytes of %s in every render, also of several at the same time', async (_, body) => {
  const projectDir = project(composition(body, size));
  const first = await render(projectDir);
  expect(first.path).toBe('paint');
  for (let done = 1; done < repeats; done++) expect(await render(projectDir)).toEqual(first);
  const others = Array.from({ length: concurrent }, () => render(projectDir));
  expect(await Promise.all(others)).toEqual(others.map(() => first));
});
