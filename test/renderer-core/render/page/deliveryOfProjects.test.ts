// All examples, all blocks and all pages of the fidelity suite, delivered in pieces. `SEEDS=20` tries that many deliveries.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import blockIndex from '../../../../blocks/blocks.json' with { type: 'json' };
import { exampleNames } from '../../../../cli/commandTable.ts';
import { corpus } from '../../../fidelity/corpus.ts';
import { project } from '../../../support/project.ts';
import { deliveredInPieces } from '../../../support/renders/deliverInPieces.ts';
import { snapshotHashes } from '../../../support/renders/snapshots.ts';

const seeds = Array.from({ length: Number(process.env.SEEDS ?? 2) }, (_, index) => index + 1);
const folder = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const hashes = snapshotHashes();

type Pages = [name: string, root: () => string, composition: string];

const examples = exampleNames.map((name): Pages => [name, () => folder(`examples/${name}`), 'index.html']);
const blocks = blockIndex.blocks.map(({ name }): Pages => [name, () => folder('blocks'), `${name}.html`]);
// Pages that are shown by screenshots need not be painted, and some crash the browser then.
const painted = corpus.filter(({ path }) => path !== 'screenshot');
const pages = painted.map(({ name, files }): Pages => [name, () => project(files), 'index.html']);

describe.each([
  ['example', examples],
  ['block', blocks],
  ['page', pages],
])('shows the same frames of each %s', (_, all) => {
  test.each(all)('%s', async (_, root, composition) => {
    const request = { projectDir: root(), composition, at: ['0f', '50%'], height: 270, capture: 'paint' } as const;
    const whole = await hashes(request);
    for (const seed of seeds)
      expect([seed, await deliveredInPieces(seed, () => hashes(request))]).toEqual([seed, whole]);
  });
});
