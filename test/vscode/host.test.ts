// Runs the tests of test/vscode/host in an extension host with the packed extension.
import { expect, onTestFinished, test } from 'vitest';
import { core } from '../support/suites.ts';
import { runInHost, workspaceCopy } from './host/hostRun.ts';

test('passes every test in the extension host', core, async () => {
  const workspace = await workspaceCopy();
  onTestFinished(workspace.remove);
  const results = await runInHost(workspace);
  for (const { name, ms, note = '', error = '' } of results) console.log(name, `${ms} ms`, note, error);
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter(({ error }) => error).map(({ name, error }) => `${name}: ${error}`)).toEqual([]);
});
