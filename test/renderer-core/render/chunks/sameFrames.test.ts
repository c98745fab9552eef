// The frames of a composition do not depend on the number of pages, the chunks, or other work of the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleNames } from '../../../../cli/commandTable.ts';
import type { RenderRequest } from '../../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { hashesIn } from '../../../support/renders/snapshots.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';

const renderVideo = warmRenderer();
const folder = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

const busy: ChildProcess[] = [];
beforeAll(() => {
  for (let loop = 0; loop < 2; loop++) busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
});
afterAll(() => {
  for (const loop of busy) loop.kill();
});

/** Each letter of a bound title gets a color, and React moves a box. */
const letters = composition(
  `<script>window.early = 1</script><h1 data-var-text="title">Halo One</h1><div id="app"></div><div id="direct"></div><script>
const h = document.querySelector('h1');
h.innerHTML = [...h.textContent].map((letter, i) => '<b style="color:hsl(' + i * 40 + ' 90% 45%)">' + letter + '</b>').join('');
</script><script src="app.js"></script>`,
  {
    duration: 4,
    variables: [{ id: 'title', type: 'string', label: 'Title', default: 'Sun Lamp' }],
    head: '<style>h1 { margin: 0; font: 14px sans-serif } #state, #direct { position: absolute; top: 30px; left: 0; width: 9px; height: 9px; background: #fc0 }</style>',
  },
);
const react = () => readFileSync(folder('test/fixtures/frameworks/react/app.js'));

test.each<[name: string, root: () => string]>([
  ['letters of bound text, and state of React', () => project({ 'index.html': letters, 'app.js': react() })],
  ...exampleNames.map((name): [string, () => string] => [name, () => folder(`examples/${name}`)]),
])('renders the same frames of %s with 1, 2 and 4 pages, and in chunks of three lengths', async (_, root) => {
  const projectDir = root();
  const frames = async (options: Partial<RenderRequest>) => {
    const output = join(temporaryFolder(), 'frames');
    await renderVideo({ projectDir, output, format: 'png', fps: '10', height: 270, capture: 'paint', ...options });
    return hashesIn(output);
  };
  const first = await frames({ workers: 1 });
  for (const options of [
    { workers: 1 },
    { workers: 2 },
    { workers: 4 },
    ...[11, 17, 23].map((chunkFrames) => ({ workers: 2, chunkFrames })),
  ])
    expect({ options, frames: await frames(options) }).toEqual({ options, frames: first });
});
