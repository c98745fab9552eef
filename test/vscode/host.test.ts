// Runs the tests of test/vscode/host in an extension host with the packed extension.
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { core } from '../support/suites.ts';
import { runInHost, workspaceCopy } from './hostRun.ts';

const vsix = fileURLToPath(new URL(`../../framework-${manifest.version}.vsix`, import.meta.url));

// In the test and not in a hook, because only tests are repeated.
test('passes every test in the extension host', { ...core, timeout: 300_000 }, async () => {
  const workspace = await workspaceCopy();
  onTestFinished(workspace.remove);
  const results = await runInHost(vsix, workspace);
  // With errors, because only the last try of a repeated test is reported.
  for (const { name, ms, note = '', error = '' } of results) console.log(name, `${ms} ms`, note, error);
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter(({ error }) => error).map(({ name, error }) => `${name}: ${error}`)).toEqual([]);
});
