// Uploads and render requests to the hosted API, as steps of a statement.
import { expect } from 'vitest';
import { makeZip, type ZipEntry } from '../support/makeZip.ts';
import { composition } from '../support/project.ts';
import type { Request } from './acceptance.ts';

/** A fifth of a second of 64x48 pixels in the color of the variable `tint`. */
export const page = composition('<div style="position:absolute;inset:0;background:var(--tint)"></div>', {
  duration: 0.2,
  variables: [{ id: 'tint', type: 'color', label: 'Tint', default: '#ff0000' }],
});

export function form(archive: Uint8Array, name = 'file'): FormData {
  const body = new FormData();
  body.set(name, new Blob([archive as BlobPart], { type: 'application/zip' }), 'project.zip');
  return body;
}

/** Uploads a project whose asset is `<asset>` in later steps. */
export function upload(
  entries: ZipEntry[] = [{ name: 'index.html', data: page }],
  more: Partial<Request> = {},
): Request {
  return { request: 'POST /v3/assets', body: form(makeZip(entries)), ...keepUnlessRejected('asset', more), ...more };
}

/** Requests a render of `<asset>`, which is `<render>` in later steps. */
export function submit(order: object = {}, more: Partial<Request> = {}): Request {
  const body = { project: { type: 'asset_id', asset_id: '<asset>' }, ...order };
  return { request: 'POST /v3/framework/renders', body, ...keepUnlessRejected('render', more), ...more };
}

function keepUnlessRejected(name: string, { status = 200 }: Partial<Request>): Partial<Request> {
  return status === 200 ? { keep: { [name]: `data.${name}_id` } } : {};
}

/** A rejected request, with the body of the error. */
export function error(code: string, status: number, more: object = {}): Partial<Request> {
  return { status, json: { error: { code, message: expect.any(String), ...more } } };
}
