// `framework render --resume` after a render was killed: the same bytes, and a new start if anything has changed.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RenderReport } from '../../../../renderer-core/render/renderReport.ts';
import { startProgram } from '../../../support/program.ts';
import { program } from '../../../support/programs.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { embeddedExecutable, referenceFfmpeg } from '../../../support/renders/ffmpeg.ts';
import { makeSound } from '../../../support/renders/sound.ts';
import { soak } from '../../../support/suites.ts';

/** 486 frames in three chunks of 162, with a style sheet and sound. */
function movingProject(): string {
  const body = `<link rel="stylesheet" href="style.css"><i></i><audio src="tone.wav" data-start="0"></audio>`;
  const style = `i { position: absolute; width: 20px; height: 20px; background: #f40; animation: go 9s linear both }
    @keyframes go { to { transform: translate(40px, 20px) rotate(90deg) } }`;
  const projectDir = project({ 'index.html': composition(body, { duration: 8.1 }), 'style.css': style });
  makeSound(referenceFfmpeg, join(projectDir, 'tone.wav'), '0.5*sin(2*PI*440*t)', 9);
  return projectDir;
}

/** `stop`: while this file exists, ffmpeg never reads the sound, which comes after all frames. */
type Place = { dir: string; cache: string; output: string; ffmpeg: string; stop: string };

function place(dir: string): Place {
  const folder = temporaryFolder();
  const [cache, stop] = [temporaryFolder(), join(folder, 'stop')];
  const embedded = embeddedExecutable(join(folder, 'embedded'));
  // It ends with the render.
  const wait = 'while kill -0 $PPID 2>/dev/null; do sleep 0.1; done; exit 1';
  const script = `case "$*" in *tone.wav*) if [ -e "${stop}" ]; then ${wait}; fi ;; esac; exec "${embedded}" "$@"`;
  return { dir, cache, stop, output: join(folder, 'out.mp4'), ffmpeg: program(join(folder, 'ffmpeg'), script) };
}

const start = ({ dir, cache, output, ffmpeg }: Place, ...more: string[]) => {
  const args = ['render', dir, '-o', output, '--fps', '60', '--gpu', 'off', '--workers', '1', ...more];
  return startProgram(args, { FRAMEWORK_CACHE: cache, FRAMEWORK_FFMPEG: ffmpeg });
};

/** The finished segments of renders that have not ended. */
function segments({ cache }: Place): string[] {
  const root = join(cache, 'unfinished');
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => name.endsWith('.ivf'));
}

/** Starts the command and kills it when a segment is finished. However late that is noticed, the render has not ended. */
async function killRender(where: Place): Promise<void> {
  writeFileSync(where.stop, '');
  const { child, done } = start(where, '--quiet');
  while (child.exitCode === null && segments(where).length === 0) await sleep(20);
  child.kill('SIGKILL');
  await done;
  rmSync(where.stop);
  expect(segments(where)).not.toEqual([]);
  expect(existsSync(where.output)).toBe(false);
}

async function render(where: Place, ...more: string[]): Promise<{ report: RenderReport; stderr: string }> {
  const { stdout, stderr } = await start(where, '--json', ...more).done;
  return { report: JSON.parse(stdout), stderr };
}

test('continues with the finished segments, and writes the same bytes', async () => {
  const killed = place(movingProject());
  const whole = place(killed.dir);
  const { report, stderr } = await render(whole, '--resume');
  expect(report.resumedFrames).toBeUndefined();
  expect(stderr).toContain('There is no interrupted render to continue\n');
  await killRender(killed);
  const count = segments(killed).length;
  const resumed = await render(killed, '--resume');
  expect(resumed.stderr).toContain(`Continues from ${count} of 3 segments\n`);
  expect(resumed.report).toMatchObject({ resumedFrames: 162 * count, frames: 486, warnings: report.warnings });
  expect(readFileSync(killed.output).equals(readFileSync(whole.output))).toBe(true);
  expect(readdirSync(join(killed.cache, 'unfinished'))).toEqual([]);
});

async function startsOver(options: string[], name: string, change: (dir: string) => void = () => undefined) {
  const where = place(movingProject());
  await killRender(where);
  change(where.dir);
  const { report } = await render(where, '--resume', ...options);
  const message = `The render starts from the beginning: ${name} changed since it was interrupted.`;
  expect(report.warnings).toContain(message);
  expect(report.resumedFrames).toBeUndefined();
}

test('starts from the beginning after a change of a file that the page has read', () =>
  startsOver([], 'style.css', (dir) => writeFileSync(join(dir, 'style.css'), 'i { color: #f00 }')));

test('starts from the beginning with another option', soak, () => startsOver(['--quality', 'draft'], 'the options'));

test('without --resume, a render removes what a killed one has left for its output', soak, async () => {
  const where = place(movingProject());
  await killRender(where);
  const { report } = await render(where);
  expect(report.resumedFrames).toBeUndefined();
  expect(readdirSync(join(where.cache, 'unfinished'))).toEqual([]);
});
