// Projects on disk, for tests that need real files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes `files` (text by path) into a new folder that is deleted when the test ends. A string is an `index.html`. */
export function project(files: string | Record<string, string | Uint8Array>): string {
  const root = temporaryFolder();
  writeFiles(root, typeof files === 'string' ? { 'index.html': files } : files);
  return root;
}

export function writeFiles(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Root = {
  width?: number;
  height?: number;
  duration?: number | null;
  variables?: unknown[];
  head?: string;
  attributes?: string;
};

/** A composition of 64x48 pixels and one second that contains `body`. */
export function composition(body: string, root: Root = {}): string {
  const { width = 64, height = 48, duration = 1, variables, head = '', attributes = '' } = root;
  const declared = variables
    ? ` data-composition-variables='${JSON.stringify(variables).replaceAll("'", '&#39;')}'`
    : '';
  const length = duration === null ? '' : ` data-duration="${duration}"`;
  return `<!doctype html>
<html${declared}><head>${head}<style>html,body{margin:0;background:#000}</style></head><body>
<div id="root" data-composition-id="main" data-width="${width}" data-height="${height}"${length} ${attributes} style="position:relative;width:${width}px;height:${height}px;overflow:hidden">
${body}
</div></body></html>`;
}
