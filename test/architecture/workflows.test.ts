// The workflows of GitHub Actions, and the example of one, follow GitHub's schema.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { expect, test } from 'vitest';
import { repository } from '../support/repositoryFiles.ts';

const folder = '.github/workflows/';
const own = readdirSync(join(repository, folder)).map((name) => `${folder}${name}`);

test.each([...own, 'deploy/chunks/github-actions.yml'])('%s follows the schema of workflows', (path) => {
  expect(validateWorkflow(readFileSync(join(repository, path), 'utf8')).errors).toEqual([]);
});

test('rejects a workflow with an unknown field', () => {
  const { errors } = validateWorkflow('on: push\njobs: { a: { runs-on: ubuntu-latest, step: [] } }\n');
  expect(errors.length).toBeGreaterThan(0);
});
