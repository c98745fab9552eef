// A batch in all sizes of its composition: each row has a video, a result and an entry in the manifest for each size.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BatchEvent } from '../../../../renderer-core/render/batch/batchReport.ts';
import type { BatchRequest } from '../../../../renderer-core/render/batch/batchTypes.ts';
import type { ManifestFile } from '../../../../renderer-core/render/batch/manifestFile.ts';
import { planBatch, renderBatch } from '../../../../renderer-core/render/batch/renderBatch.ts';
import { renderVideo } from '../../../../renderer-core/render/pipeline.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';

const surroundings = { env: process.env, now: () => performance.now(), date: () => new Date() };

const page = composition(`<div id="all"></div>`, {
  duration: 0.5,
  attributes: 'data-sizes="64x48 48x64"',
  variables: [{ id: 'color', type: 'color', label: 'Color', default: '#ff0000' }],
  head: `<style>#root{width:100vw !important;height:100vh !important}#all{position:absolute;inset:0}</style>
    <script>addEventListener('DOMContentLoaded', () => {
      document.getElementById('all').style.background = __framework.getVariables().color;
    });</script>`,
});

const rows = [
  { name: 'Ada', color: '#00ff00' },
  { name: 'Bo', color: '#0000ff' },
];

/** Returns `index size output` of each result, and the events. */
async function render(request: BatchRequest) {
  const results: string[] = [];
  const events: BatchEvent[] = [];
  const batch = renderBatch({ ...request, onEvent: (event) => void events.push(event) }, surroundings);
  for (;;) {
    const next = await batch.next();
    if (next.done) return { results, events, report: next.value };
    const { index, size, output, status } = next.value;
    results.push(`${index} ${size} ${output.replace(/^.*\//, '')} ${status}`);
  }
}

test('renders each row in each size, and resumes each video for itself', async () => {
  const folder = temporaryFolder();
  const projectDir = project(page);
  const request = { projectDir, rows, output: join(folder, '{name}.mp4'), fps: '10', allSizes: true };
  const { results, report } = await render(request);
  expect(results).toEqual([
    '0 64x48 Ada-4x3.mp4 completed',
    '0 48x64 Ada-3x4.mp4 completed',
    '1 64x48 Bo-4x3.mp4 completed',
    '1 48x64 Bo-3x4.mp4 completed',
  ]);
  expect(report).toMatchObject({ total: 4, completed: 4 });
  expect(readdirSync(folder).sort()).toEqual([
    'Ada-3x4.mp4',
    'Ada-4x3.mp4',
    'Bo-3x4.mp4',
    'Bo-4x3.mp4',
    'manifest.json',
  ]);
  const alone = join(temporaryFolder(), 'alone.mp4');
  await renderVideo(
    { projectDir, fps: '10', aspectRatio: '3:4', variables: { color: '#0000ff' }, output: alone },
    surroundings,
  );
  expect(readFileSync(alone).equals(readFileSync(join(folder, 'Bo-3x4.mp4')))).toBe(true);

  rmSync(join(folder, 'Ada-3x4.mp4'));
  const resumed = await render({ ...request, resume: true });
  expect(resumed.results).toEqual(['0 48x64 Ada-3x4.mp4 completed']);
  expect(resumed.events.filter(({ type }) => type === 'rerender')).toEqual([
    { type: 'rerender', row: 0, size: '48x64', reason: 'the output is missing' },
  ]);
  const manifest: ManifestFile = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  expect(manifest.rows.map(({ index, size, status }) => `${index} ${size} ${status}`)).toEqual([
    '0 64x48 completed',
    '0 48x64 completed',
    '1 64x48 completed',
    '1 48x64 completed',
  ]);
});

test('a row can fail in one size', async () => {
  const script = `<script>if (innerWidth === 48) throw new Error('too narrow')</script>`;
  const request = {
    projectDir: project(page.replace('</head>', `${script}</head>`)),
    rows: rows.slice(0, 1),
    fps: '10',
  };
  const { results } = await render({ ...request, output: join(temporaryFolder(), '{index}.mp4'), allSizes: true });
  expect(results).toEqual(['0 64x48 0-4x3.mp4 completed', '0 48x64 0-3x4.mp4 failed']);
});

test('renders only the requested rows, in the pixels of the resolution', async () => {
  const output = join(temporaryFolder(), '{index}.mp4');
  const request = {
    projectDir: project(page),
    rows,
    output,
    indices: [1],
    resolution: '1080p' as const,
    allSizes: true,
  };
  const { rows: planned, todo, prepare } = await planBatch(request, surroundings);
  expect(todo.map((at) => `${planned[at]?.index} ${planned[at]?.size}`)).toEqual(['1 64x48', '1 48x64']);
  expect(todo.map((at) => [prepare(at).draft.width, prepare(at).draft.height])).toEqual([
    [1440, 1080],
    [1080, 1440],
  ]);
});

test.each([
  [{ aspectRatio: '1:1' }, page, 'All sizes cannot be combined with an aspect ratio'],
  [{}, composition(''), 'The composition declares no sizes'],
])('rejects %j', async (options, html, message) => {
  const request = { projectDir: project(html), rows, output: '/videos/{index}.mp4', allSizes: true, ...options };
  await expect(planBatch(request, surroundings)).rejects.toMatchObject({ code: 'usage', message });
});
