// Batches that are checked and not rendered: outputs with defaults.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planBatch } from '../../../renderer-core/render/batch/renderBatch.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';

const card = composition('', {
  variables: [
    { id: 'name', type: 'string', label: 'Name', default: 'Ada', maxLength: 3 },
    { id: 'size', type: 'number', label: 'Size', default: 3, min: 1, max: 9 },
  ],
});

test('uses common values and declared defaults in outputs', async () => {
  const folder = temporaryFolder();
  const request = { projectDir: project(card), rows: [{}, { name: 'Bo' }], variables: { size: 7 } };
  const { rows } = await planBatch({ ...request, output: join(folder, '{name}-{size}.mp4') });
  expect(rows.map(({ output }) => output)).toEqual([join(folder, 'Ada-7.mp4'), join(folder, 'Bo-7.mp4')]);
  await expect(planBatch({ ...request, output: join(folder, '{nme}.mp4') })).rejects.toMatchObject({
    code: 'batch_invalid',
    message: expect.stringContaining('known placeholders: {index}, {name}, {size}'),
  });
});
