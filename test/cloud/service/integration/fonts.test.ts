// Text has the same pixels in the hosted service, on a system with other fonts than those of this machine.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../../../support/program.ts';
import { fontEnvironment } from '../../../support/renders/fontEnvironment.ts';
import { differingPages, fontVideos, renderFontVideos, writeFontProject } from '../../../support/renders/fontVideos.ts';
import { addKey, type ServedProgram, serveProgram } from '../../../support/service/serveProgram.ts';

let folder: string;
let service: ServedProgram;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'framework-fonts-'));
  for (const name of ['data', 'home', 'local']) mkdirSync(join(folder, name));
  writeFontProject(join(folder, 'project'));
  const here = fontEnvironment(join(folder, 'here'), 0.5, ['/usr/share/fonts']);
  await renderFontVideos(join(folder, 'project'), join(folder, 'local'), here);
  // The only system font of the service has boxes for all characters.
  const { FONTCONFIG_FILE = '' } = fontEnvironment(join(folder, 'there'), 1);
  service = await serveProgram(join(folder, 'data'), ['--workers', '1'], { env: { FONTCONFIG_FILE } });
  const key = await addKey(join(folder, 'data'), 'ann@example.com', ['--credits', '100']);
  const home = join(folder, 'home');
  env = { HOME: home, SERVICE_API_URL: service.url, SERVICE_API_KEY: key, FRAMEWORK_API_KEY: '' };
});
afterAll(async () => {
  await service?.end();
  rmSync(folder, { recursive: true, force: true });
});

test.each(fontVideos)('shows the text of a local render: $name', async (video) => {
  const [here, there] = [join(folder, 'local', video.file), join(folder, video.file)];
  const options = ['--composition', video.composition, '--width', '480', '-o', there, '--poll-interval', '1s'];
  const { status, stderr } = await runProgram(['cloud', 'render', join(folder, 'project'), ...options], env);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(differingPages(video, here, there)).toEqual([]);
  expect(readFileSync(there).equals(readFileSync(here))).toBe(true);
});
