// Clock, random numbers and environment are read at the edges and passed to the code below as arguments.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repository, repositoryFiles } from '../support/repositoryFiles.ts';

/** Edges: programs and products that people start, and code in pages, whose clock is the browser's. */
const edges = [
  'cli/',
  'client/',
  'sdk/',
  'preview/page/',
  'renderer-core/page/',
  'renderer-core/capture/page/inPage.ts',
  'renderer-core/capture/page/frameWriter.ts',
  'cloud/service/service.ts',
  'cloud/service/queue/renderWorker.ts',
  'renderer-core/render/host/hostMain.ts',
  'serverless/handler.ts',
  'serverless/webhooks/webhookHandler.ts',
  'server/nodeMain.ts',
  'server/browserMain.ts',
  // They set a variable that the AWS SDK reads from process.env only.
  'serverless/aws.ts',
  'cloud/service/storage/openObjects.ts',
];

const reads = /\bprocess\.env\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b/g;

/** What a source reads, without comments and texts. */
function readsIn(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'/gm, '');
  return code.match(reads) ?? [];
}

test('finds reads, but not in comments and texts', () => {
  expect(readsIn('const until = Date.now() + 5; // not new Date()\nuse(process.env.HOME);')).toEqual([
    'Date.now',
    'process.env',
  ]);
  expect(readsIn('function f(env = process.env) {}')).toEqual(['process.env']);
  expect(readsIn("throw Error('Set process.env.HOME');")).toEqual([]);
});

test('reads clock, random numbers and environment only at the edges', () => {
  const below = repositoryFiles()
    .filter((path) => /^(?:renderer-core|preview|cloud|serverless|webhooks|server)\/.*\.ts$/.test(path))
    .filter((path) => !edges.some((edge) => path.startsWith(edge)));
  expect(below.length).toBeGreaterThan(300);
  expect(
    below.flatMap((path) => readsIn(readFileSync(repository + path, 'utf8')).map((read) => `${path}: ${read}`)),
  ).toEqual([]);
});
