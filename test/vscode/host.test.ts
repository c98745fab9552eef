// Runs the tests of test/vscode/host in an extension host with the packed extension.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { HostResult } from './host/run.ts';
import { runInHost, workspaceCopy } from './hostRun.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

let results: HostResult[] = [];
let workspace: Awaited<ReturnType<typeof workspaceCopy>>;

beforeAll(async () => {
  workspace = await workspaceCopy();
  results = await runInHost(vsix, workspace);
});
afterAll(() => workspace?.remove());

test('passes every test in the extension host', () => {
  for (const { name, ms, note } of results) console.log(`${name}: ${ms} ms${note ? `; ${note}` : ''}`);
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter(({ error }) => error).map(({ name, error }) => `${name}: ${error}`)).toEqual([]);
});
