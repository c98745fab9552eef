// Writes the images of the blocks: one frame of each. Overlays are shown over the block `background`. Needs `npm run build`.
// Names of blocks as arguments write only these.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBlocks } from '../renderer-core/blocks/addBlock.ts';

/** The images are part of the packages, so they are small. */
const maxBytes = 12_000;
const longerSide = 480;

const folder = mkdtempSync(join(tmpdir(), 'fw-blocks-'));
const wanted = process.argv.slice(2);
try {
  const { blocks } = await readBlocks();
  cpSync('blocks', folder, { recursive: true });
  for (const { name, posterTime, isOverlay } of blocks) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const host = (file: string) =>
      `<div data-composition-src="${file}.html" data-start="0" style="position: absolute; inset: 0"></div>`;
    const hosts = [...(isOverlay ? ['background'] : []), name].map(host).join('');
    writeFileSync(
      join(folder, 'index.html'),
      `<!doctype html><html><body style="margin: 0"><div data-composition-id="image" data-width="1920" data-height="1080" data-duration="9">${hosts}</div></body></html>`,
    );
    const output = `blocks/${name}.webp`;
    const options = ['--at', String(posterTime), '--max-side', String(longerSide), '--output', output];
    execFileSync(process.execPath, ['dist/cli.js', 'snapshot', folder, ...options], { stdio: 'inherit' });
    const { size } = statSync(output);
    if (size > maxBytes) throw new Error(`${output} has ${size} bytes; the limit is ${maxBytes}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
