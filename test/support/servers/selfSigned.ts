// Creates a self-signed certificate for 127.0.0.1.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needPrograms, type Skip } from '../systemPrograms.ts';

/** `path`: for NODE_EXTRA_CA_CERTS of clients that must trust it. */
export async function selfSigned(context: Skip, folder: string): Promise<{ path: string; cert: Buffer; key: Buffer }> {
  needPrograms(context, 'openssl');
  const path = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await promisify(execFile)('openssl', [...kind, ...subject, '-keyout', key, '-out', path]);
  return { path, cert: await readFile(path), key: await readFile(key) };
}
