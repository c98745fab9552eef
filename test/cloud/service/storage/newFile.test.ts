import { pbkdf2 } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { writeNewFile } from '../../../../cloud/service/storage/newFile.ts';
import { testFolder } from '../../../support/service/service.ts';

test('writes a file that only its owner can read', async () => {
  const path = join(await testFolder(), 'new');
  expect(await writeNewFile(path, [Readable.from(['two ', 'parts'])])).toBe(9);
  expect(readFileSync(path, 'utf8')).toBe('two parts');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(writeNewFile(path, [Readable.from(['other'])])).rejects.toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('two parts');
});

test('has created the file when it reports that the stream failed at once', async () => {
  const path = join(await testFolder(), 'new');
  const source = new Readable({ read: () => undefined }).destroy(new Error('cut off'));
  // Keeps all threads that open files busy.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 100_000, 64, 'sha512'));
  await expect(writeNewFile(path, [source])).rejects.toThrow();
  expect(existsSync(path)).toBe(true);
  await Promise.all(busy);
});
