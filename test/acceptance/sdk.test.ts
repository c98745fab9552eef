// The functions of the packed package, called by programs that import it.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { composition } from '../support/project.ts';
import { accept, type Check } from './acceptance.ts';
import { packedCli } from './packedCli.ts';
import { missing, renderStack } from './serverless/renderStack.ts';

const { sendsNothing, starts, sends, ...stack } = renderStack();

/** A module with this body, in a folder with the package, returns this. `inputs.json` has the names of the stack. */
const returns =
  (body: string, expected: unknown): Check =>
  async ({ folder, env }) => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(join(packedCli, '../..'), join(folder, 'node_modules/framework'));
    const source = `import { readFileSync } from 'node:fs';
import { deploySite, extractCompositionMetadata, renderToServerless } from 'framework';
const { bucketName, stateMachineArn } = JSON.parse(readFileSync('inputs.json', 'utf8'));
const result = await (async () => { ${body} })().catch(({ code, message }) => ({ code, message }));
console.log(JSON.stringify(result));`;
    writeFileSync(join(folder, 'main.mjs'), source);
    const inputs = { bucketName: stack.bucket(), stateMachineArn: stack.stateMachine() };
    writeFileSync(join(folder, 'inputs.json'), JSON.stringify(inputs));
    const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    expect(JSON.parse(stdout)).toMatchObject(expected as object);
  };

const variables = [
  { id: 'title', type: 'string', label: 'Title', default: 'Hello' },
  { id: 'size', type: 'number', label: 'Size', default: 4, min: 1 },
];
const video = { 'video/index.html': composition('<p>Hello</p>', { variables }) };
const order = `siteHandle: { siteId: '0123456789abcdef' }, bucketName, stateMachineArn`;

describe.skipIf(missing !== undefined)('on AWS', () => {
  accept(
    [
      {
        sentence: 'extractCompositionMetadata(html) returns an object with variables, an array of declarations',
        files: video,
        steps: [
          returns(`return extractCompositionMetadata(readFileSync('video/index.html', 'utf8'));`, { variables }),
          sendsNothing,
        ],
      },
      {
        sentence: 'extractCompositionMetadata drops a declaration of another type',
        files: {
          'video/index.html': composition('', { variables: [{ ...variables[0], type: 'object' }, variables[1]] }),
        },
        steps: [
          returns(`return extractCompositionMetadata(readFileSync('video/index.html', 'utf8')).variables;`, [
            variables[1],
          ]),
        ],
      },
      {
        sentence: 'deploySite takes projectDir and bucketName, and returns a site handle',
        files: video,
        steps: [
          returns(`return deploySite({ projectDir: 'video', bucketName });`, {
            siteId: expect.stringMatching(/^[0-9a-f]{16}$/),
            bucketName: expect.stringMatching(/^framework-render-renderbucket-/),
            files: 1,
          }),
          sends('s3:PutObject', /\/sites\/[0-9a-f]{16}\.json$/, 1),
        ],
      },
      {
        sentence:
          'renderToServerless takes siteHandle, bucketName, stateMachineArn, config (fps, width, height, format, variables) and outputKey, and returns a render handle',
        files: video,
        steps: [
          returns(
            `const siteHandle = await deploySite({ projectDir: 'video', bucketName });
const config = { fps: 25, width: 128, height: 96, format: 'webm', variables: { title: 'Ada', size: 7 } };
const outputKey = 'videos/ada.webm';
return renderToServerless({ siteHandle, bucketName, stateMachineArn, config, outputKey });`,
            {
              renderId: expect.stringMatching(/^r-[0-9a-f-]{36}$/),
              executionArn: expect.stringMatching(/:execution:RenderStateMachine-\d+:r-[0-9a-f-]{36}$/),
              outputKey: 'videos/ada.webm',
            },
          ),
          starts({
            siteId: expect.stringMatching(/^[0-9a-f]{16}$/),
            config: { fps: 25, width: 128, height: 96, format: 'webm', variables: { title: 'Ada', size: 7 } },
            outputKey: 'videos/ada.webm',
          }),
        ],
      },
      {
        sentence: 'The options of the size exist in the SDK too',
        steps: [
          returns(
            `const config = { resolution: '4k', aspectRatio: '1:1', fit: 'stretch', background: '#ffffff' };
return renderToServerless({ ${order}, config });`,
            { renderId: expect.stringMatching(/^r-/) },
          ),
          starts({ config: { resolution: '4k', aspectRatio: '1:1', fit: 'stretch', background: '#ffffff' } }),
        ],
      },
      {
        sentence: 'The SDK rejects HDR before any provider call',
        steps: [
          returns(`return renderToServerless({ ${order}, config: { hdr: true } });`, {
            code: 'usage',
            message: expect.stringContaining('HDR video can only be rendered on one machine'),
          }),
          sendsNothing,
        ],
      },
      {
        sentence:
          'The SDK rejects an execution input over 262144 bytes before any provider call, with [validateConfig] config:, the byte size and the limit',
        steps: [
          returns(`return renderToServerless({ ${order}, config: { variables: { title: 'x'.repeat(262144) } } });`, {
            code: 'usage',
            message: expect.stringMatching(/^\[validateConfig\] config: .* at most 262144 bytes \(got 262[56]\d\d\)$/),
          }),
          sendsNothing,
        ],
      },
    ],
    stack.env,
  );
});
