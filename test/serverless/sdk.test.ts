// The SDK example of the docs compiles, and the AWS SDK is only loaded when it is needed.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { computeRenderCost } from '../../sdk/index.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('compiles the example of the docs', () => {
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(read('../../docs/serverless.md')) ?? [];
  const compiled = read('sdkExample.ts')
    .replace(/^\/\/.*\n/, '')
    .replace('../../sdk/index.ts', 'framework');
  expect(shown).toBe(compiled);
});

test('computes the cost of a render without a request', () => {
  const work = { billedMs: 60_000, memoryMb: 2048, invocations: 3, chunks: 1, transitions: 6 };
  expect(computeRenderCost(work).usd).toBeCloseTo(0.0022, 4);
});

test('loads the AWS SDK on first use', async () => {
  const absWorkingDir = fileURLToPath(new URL('../..', import.meta.url));
  const entry = 'sdk/index.ts';
  const { metafile } = await build({
    absWorkingDir,
    entryPoints: [entry],
    outdir: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const found = new Set<string>();
  const visit = (path: string, isLazyToo: boolean): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of metafile.inputs[path]?.imports ?? [])
      if (isLazyToo || kind === 'import-statement') visit(next, isLazyToo);
  };
  const ofAws = () => [...found].filter((path) => path.startsWith('@aws-sdk/'));
  visit(entry, false);
  expect(ofAws()).toEqual([]);
  found.clear();
  visit(entry, true);
  expect(ofAws()).not.toEqual([]);
});
