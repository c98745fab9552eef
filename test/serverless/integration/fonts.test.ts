// Text has the same pixels on AWS: the deployed function renders pages of text, with its own fonts, on a system with other
// fonts than those of this machine.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RenderProgress } from '../../../serverless/renders/reports.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { lambdaMissing } from '../../aws/lambdaProgram.ts';
import { runProgram } from '../../support/program.ts';
import { fontEnvironment } from '../../support/renders/fontEnvironment.ts';
import { differingPages, fontVideos, renderFontVideos, writeFontProject } from '../../support/renders/fontVideos.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing() ?? lambdaMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('on AWS', () => {
  let folder: string;
  let ceph: CephAccount;
  let aws: Aws;

  const serverless = async <T>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await runProgram(['serverless', ...args, '--json'], aws.env);
    if (status !== 0) throw new Error(`${args.join(' ')}: ${status}\n${stdout}\n${stderr}`);
    return JSON.parse(stdout) as T;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'framework-fonts-'));
    ceph = await openCeph();
    // The only system font of the function has boxes for all characters.
    const layer = join(folder, 'function');
    const { FONTCONFIG_FILE = '' } = fontEnvironment(layer, 1);
    aws = await startAws({ s3: ceph, retryWaitMs: 500, functionEnv: { FONTCONFIG_FILE }, layers: [layer] });
    await serverless('deploy', '--memory', '4096', '--no-canary', '--yes');
    writeFontProject(join(folder, 'project'));
    mkdirSync(join(folder, 'local'));
    // The same browser and ffmpeg as in the function, which are those of npm packages.
    const programs = { PATH: '', FRAMEWORK_BROWSER: '', FRAMEWORK_FFMPEG: '' };
    const env = { ...fontEnvironment(join(folder, 'here'), 0.5, ['/usr/share/fonts']), ...programs };
    await renderFontVideos(join(folder, 'project'), join(folder, 'local'), env);
  });
  afterAll(async () => {
    await aws?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(fontVideos)('shows the text of a local render: $name', async (video) => {
    const [here, there] = [join(folder, 'local', video.file), join(folder, video.file)];
    const options = ['--composition', video.composition, '-o', there, '--progress', 'none'];
    const { status, warnings } = await serverless<RenderProgress>('render', join(folder, 'project'), ...options);
    expect(status).toBe('SUCCEEDED');
    expect(warnings.filter((text) => text.includes('fonts of this machine'))).toEqual([]);
    expect(differingPages(video, here, there)).toEqual([]);
    expect(readFileSync(there).equals(readFileSync(here))).toBe(true);
  });
});
