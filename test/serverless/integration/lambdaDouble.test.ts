// The double of Lambda is as strict as Lambda: what a function sees of its machine, and when it is killed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LambdaDouble, startLambda } from '../../aws/lambda.ts';
import { lambdaMissing } from '../../aws/lambdaProgram.ts';

/** Runs the statement in its payload. */
const handler = `const fs = require('fs'), os = require('os'), { spawnSync } = require('child_process');
exports.handler = async ({ statement }) => ({ result: await (0, eval)('(' + statement + ')')({ fs, os, spawnSync }) });`;

const missing = lambdaMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('a function', () => {
  let code: string;
  let lambda: LambdaDouble;
  beforeAll(async () => {
    code = mkdtempSync(join(tmpdir(), 'framework-function-'));
    writeFileSync(join(code, 'handler.js'), handler);
    lambda = await startLambda();
    const config = { code, handler: 'handler.handler', memoryMb: 256, diskMb: 512, timeoutSeconds: 20 };
    await lambda.put('fn', { ...config, concurrency: undefined, env: {} });
  });
  afterAll(async () => {
    await lambda?.close();
    rmSync(code, { recursive: true, force: true });
  });

  const run = async (statement: string): Promise<unknown> => {
    const outcome = await lambda.invoke('fn', JSON.stringify({ statement }));
    if (typeof outcome === 'string') throw new Error(outcome);
    const answer = JSON.parse(outcome.payload) as { result?: unknown; errorMessage?: string };
    return answer.errorMessage ?? answer.result;
  };

  test.each([
    ['a read-only root', `({ fs }) => fs.writeFileSync('/a', '')`, "EROFS: read-only file system, open '/a'"],
    ['read-only code', `({ fs }) => fs.writeFileSync('/var/task/a', '')`, /^EROFS/],
    ['a folder for temporary files', `({ fs }) => fs.writeFileSync('/tmp/a', 'a')`, undefined],
    [
      'of the configured size',
      `({ fs }) => { const { blocks, bsize } = fs.statfsSync('/tmp'); return blocks * bsize / 1024 ** 2; }`,
      512,
    ],
    ['no shared memory', `({ fs }) => fs.existsSync('/dev/shm')`, false],
    [
      'no home folder',
      `({ fs, os }) => [os.userInfo().username, fs.existsSync(os.homedir())]`,
      ['sbx_user1051', false],
    ],
    ['no programs', `({ fs }) => ['/bin', '/usr/bin', '/etc/fonts'].filter(fs.existsSync)`, []],
    [
      'a filter for system calls',
      `({ fs }) => fs.readFileSync('/proc/self/status', 'utf8').match(/Seccomp:\\s*(\\d)/)[1]`,
      '2',
    ],
    ['its own processes only', `({ fs }) => fs.readdirSync('/proc').filter(Number).length < 5`, true],
  ])('has %s', async (_what, statement, expected) => {
    const result = await run(statement);
    if (expected instanceof RegExp) expect(result).toMatch(expected);
    else expect(result).toEqual(expected);
  });

  test('is killed when it uses more memory than it has', async () => {
    const fill = `async () => { globalThis.kept = []; for (;;) { kept.push(Buffer.alloc(2 ** 24, 1)); await new Promise((done) => setTimeout(done, 20)); } }`;
    expect(await run(fill)).toMatch(/^RequestId: \S+ Error: Runtime exited with error: signal: killed$/);
  });
});
