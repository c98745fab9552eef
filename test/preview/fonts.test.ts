// The preview shows text in the fonts of the render, also in a browser with other system fonts.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snapshotIn } from '../../renderer-core/render/snapshot/takeSnapshot.ts';
import { psnr } from '../fidelity/compare.ts';
import { fontPages } from '../fidelity/corpus/fontPages.ts';
import { browserWithEnv, openPreview } from '../support/editor/previewPage.ts';
import { project } from '../support/project.ts';
import { fontEnvironment } from '../support/renders/fontEnvironment.ts';
import { inSession, openSession, type SharedSession } from '../support/renders/warmRender.ts';

/** Its only system font has boxes for all characters. */
const launched = browserWithEnv((folder) => fontEnvironment(join(folder, 'boxes'), 1));
let shared: SharedSession;
beforeAll(async () => {
  shared = await openSession(tmpdir());
});
afterAll(() => shared.close());

test.each(fontPages)('shows the text of the page "$name"', async ({ files }) => {
  const projectDir = project(files);
  const output = join(projectDir, 'frame.png');
  const request = { projectDir, output, at: ['0f'], capture: 'screenshot' } as const;
  await inSession(shared, projectDir, (place) => snapshotIn(place, request));
  const { atRest, alone } = await openPreview(launched(), projectDir);
  await atRest();
  expect(psnr(await alone(), PNG.sync.read(readFileSync(output)))).toBeGreaterThanOrEqual(45);
});
