// The workflows of GitHub Actions follow GitHub's schema.
import { readdirSync, readFileSync } from 'node:fs';
import { validateWorkflow } from '@action-validator/core';
import { expect, test } from 'vitest';

const folder = new URL('../../.github/workflows/', import.meta.url);

test.each(readdirSync(folder))('%s follows the schema of workflows', (name) => {
  expect(validateWorkflow(readFileSync(new URL(name, folder), 'utf8')).errors).toEqual([]);
});

test('rejects a workflow with an unknown field', () => {
  const { errors } = validateWorkflow('on: push\njobs: { a: { runs-on: ubuntu-latest, step: [] } }\n');
  expect(errors.length).toBeGreaterThan(0);
});
