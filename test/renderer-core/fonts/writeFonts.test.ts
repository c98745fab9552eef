import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareFiles, writeFiles } from '../../../renderer-core/fonts/writeFonts.ts';
import { project } from '../../support/project.ts';

test('a file that cannot be written leaves all others as they were', async () => {
  const root = project({ 'index.html': 'page', 'kept.css': 'before' });
  const files = ['kept.css', 'fonts/new.css', 'fonts/new.css/below.css'];
  const changes = await compareFiles(
    root,
    files.map((path) => ({ path, bytes: Buffer.from('after') })),
  );
  await expect(writeFiles(root, changes)).rejects.toMatchObject({ code: 'output_unwritable' });
  expect(readFileSync(join(root, 'kept.css'), 'utf8')).toBe('before');
  expect(existsSync(join(root, 'fonts'))).toBe(false);
  expect(readdirSync(root).sort()).toEqual(['index.html', 'kept.css']);
});
