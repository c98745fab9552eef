// The compositions that the MCP server lists as resources.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolders } from '../../../cli/mcp/folders.ts';
import { listCompositions } from '../../../cli/mcp/resources.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import { temporaryFolder } from '../../support/project.ts';

test('skips folders that are empty or do not exist', async () => {
  const top = realpathSync(temporaryFolder());
  const folders = openFolders(() => [top, join(top, 'gone')]);
  expect(await listCompositions(folders)).toEqual([]);
});

test('reports other errors', async () => {
  const folders = openFolders(() => [realpathSync(temporaryFolder())]);
  const tooMany = () => Promise.reject(new UserError('usage', 'too many files'));
  await expect(listCompositions(folders, tooMany)).rejects.toThrow('too many files');
});
