// Renders the launch card with other variables than its defaults. `npm run demo` builds first, then runs this script.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = fileURLToPath(new URL('../renders/launch-card.mp4', import.meta.url));
const variables = {
  title: 'Marlow',
  subtitle: 'A reading light that knows when you have stopped reading.',
  badge: 'Pre-order',
  price: 229,
  accent: '#5b8cff',
  layout: 'mirror',
};

const { status, error } = spawnSync(
  process.execPath,
  ['dist/cli.js', 'render', 'examples/launch-card', '--variables', JSON.stringify(variables), '--output', output],
  { cwd: root, stdio: 'inherit' },
);
if (error) throw error;
if (status === 0) console.log(`\nThe video is at ${output}`);
process.exitCode = status ?? 1;
