// Streams the single file of a multipart form to disk, and checks its size, hash and first bytes.
import { createHash } from 'node:crypto';
import { finished, type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { UploadPace } from '../settings.ts';
import { writeNewFile } from '../storage/newFile.ts';
import { ApiError } from './apiErrors.ts';
import { limits } from './apiSchemas.ts';

export type Upload = { size: number; sha256: string };

/** Bytes of the form in addition to the file. */
const overhead = 64 * 1024;

type UploadHeaders = { contentType: string | undefined; contentLength: string | undefined };

/** The most that an upload can store. Throws ApiError `framework_project_too_large`. */
export function uploadBytes({ contentLength }: UploadHeaders): number {
  if (contentLength === undefined) return limits.archiveBytes;
  if (Number(contentLength) > limits.archiveBytes + overhead) throw tooLarge();
  return Math.min(Number(contentLength), limits.archiveBytes);
}

/**
 * Writes the part `file` to `path`, which must not exist. When it throws an ApiError, it stops reading `source`, so
 * that the response can still be sent over the same connection. The caller deletes the file.
 */
export async function receiveFile(
  source: Readable,
  headers: UploadHeaders,
  path: string,
  pace: UploadPace,
): Promise<Upload> {
  const form = openForm(headers.contentType ?? '');
  let file: Readable | undefined;
  let saved: Promise<Upload> | undefined;
  let watch: PaceWatch | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const pacing = watchPace(pace, () => reject(tooSlow(pace)));
      watch = pacing;
      form.on('file', (name, stream) => {
        // Without a listener, an aborted form would end the process.
        stream.on('error', () => undefined);
        if (name !== 'file' || saved !== undefined) return reject(onePart(name));
        file = stream;
        saved = save(stream, path, pacing.add);
        saved.catch(reject);
      });
      form.on('field', (name) => reject(onePart(name)));
      form.on('error', () => reject(invalid('The form is incomplete or not valid multipart/form-data.')));
      form.on('finish', resolve);
      finished(source, { writable: false }, (error) => {
        // The rest depends on this machine.
        pacing.stop();
        if (error) reject(invalid('The upload was cut off.'));
      });
      source.pipe(form);
    });
    if (saved === undefined) throw onePart('file');
    return await saved;
  } catch (error) {
    source.unpipe(form);
    form.destroy();
    file?.destroy();
    // Wait until the file is closed, because the caller deletes it.
    await saved?.catch(() => undefined);
    throw error;
  } finally {
    watch?.stop();
  }
}

type PaceWatch = { add(bytes: number): void; stop(): void };

/** Calls `onTooSlow` at the end of a window in which too few bytes were added. The first window is free. */
function watchPace({ bytesPerSecond, windowMs }: UploadPace, onTooSlow: () => void): PaceWatch {
  let added = 0;
  let isFirst = true;
  const timer = setInterval(() => {
    if (!isFirst && added < (bytesPerSecond * windowMs) / 1000) onTooSlow();
    isFirst = false;
    added = 0;
  }, windowMs);
  timer.unref();
  return {
    add: (bytes) => {
      added += bytes;
    },
    stop: () => clearInterval(timer),
  };
}

function openForm(contentType: string): BusboyInstance {
  const message = 'Send the archive as multipart/form-data with one part named file.';
  if (!/^multipart\/form-data *;/i.test(contentType)) throw new ApiError('unsupported_media_type', message);
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: 1024, headerPairs: 100 },
      // Not also any part of the type application/octet-stream.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
  } catch {
    throw invalid(message);
  }
}

async function save(stream: Readable, path: string, onBytes: (count: number) => void): Promise<Upload> {
  const hash = createHash('sha256');
  let size = 0;
  let start = Buffer.alloc(0);
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      onBytes(chunk.length);
      if (size > limits.archiveBytes) return done(tooLarge());
      if (start.length < 4) start = Buffer.concat([start, chunk.subarray(0, 4)]);
      if (start.length >= 4 && !isZip(start)) return done(notZip());
      hash.update(chunk);
      done(null, chunk);
    },
    flush: (done) => done(isZip(start) ? null : notZip()),
  });
  await writeNewFile(path, [stream, meter]);
  return { size, sha256: hash.digest('hex') };
}

/** A zip file begins with a local file header, or with the end of the directory if it is empty. */
function isZip(start: Buffer): boolean {
  return ['PK\x03\x04', 'PK\x05\x06'].includes(start.toString('latin1', 0, 4));
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param: 'file' });
}

function onePart(name: string | undefined): ApiError {
  const message = 'The form must have exactly one part: file, with a file name.';
  return new ApiError('invalid_parameter', message, { param: (name ?? 'file').slice(0, 100) });
}

function notZip(): ApiError {
  return new ApiError('framework_project_invalid', 'The file is not a zip archive.', { param: 'file' });
}

function tooSlow({ bytesPerSecond }: UploadPace): ApiError {
  const message = `The upload is slower than ${Math.ceil(bytesPerSecond / 1000)} kB/s. Use a faster connection, or leave out files that the video does not need.`;
  return new ApiError('request_timeout', message, { param: 'file' });
}

function tooLarge(): ApiError {
  const message = `The archive must not be larger than ${limits.archiveBytes / 1024 / 1024} MB. Leave out files that the video does not need.`;
  return new ApiError('framework_project_too_large', message, { param: 'file' });
}
