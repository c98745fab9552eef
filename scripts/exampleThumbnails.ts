// Writes the images of the examples: the poster frame of each. Needs `npm run build`.
// Names of examples as arguments write only these.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import type { ExampleIndex } from '../renderer-core/project/exampleIndex.ts';

/** The images are part of the packages, so they are small. */
const maxBytes = 14_000;
const longerSide = 340;

const wanted = process.argv.slice(2);
const { examples } = JSON.parse(readFileSync('examples/examples.json', 'utf8')) as ExampleIndex;
mkdirSync('examples/images', { recursive: true });
for (const { name, open } of examples) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const output = `examples/images/${name}.webp`;
  const options = ['--composition', open, '--at', 'poster', '--max-side', String(longerSide), '--output', output];
  execFileSync(process.execPath, ['dist/cli.js', 'snapshot', `examples/${name}`, ...options], { stdio: 'inherit' });
  const { size } = statSync(output);
  if (size > maxBytes) throw new Error(`${output} has ${size} bytes; the limit is ${maxBytes}`);
}
