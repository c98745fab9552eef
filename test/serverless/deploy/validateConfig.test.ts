// Every field of a render is checked before any request to AWS, also where programs are not type-checked.
import { describe, expect, test } from 'vitest';
import { renderToServerless } from '../../../sdk/index.ts';
import { checkChunks, checkConfig, checkTarget, regionOf } from '../../../serverless/deploy/validateConfig.ts';
import type { ServerlessConfig } from '../../../serverless/renders/execution.ts';

const itself: Record<string, unknown> = {};
itself.again = [itself];

describe('the config', () => {
  test('accepts every field', () => {
    const config: Required<Omit<ServerlessConfig, 'resolution' | 'hdr'>> = {
      ...{ composition: 'a.html', fps: '30000/1001', width: 1280, height: 720, aspectRatio: '16:9', fit: 'cover' },
      ...{ background: '#102030', format: 'webm', codec: 'vp9', quality: 'high', network: 'public' },
      ...{ strictVariables: true, variables: { a: 1, b: [null, 'x', { c: true }] } },
    };
    expect(() => checkConfig(config)).not.toThrow();
    expect(() => checkConfig({})).not.toThrow();
    expect(() => checkConfig({ fps: 29.97, resolution: '4k' })).not.toThrow();
  });

  test.each<[string, unknown, string]>([
    ['HDR video', { hdr: true }, 'HDR video can only be rendered on one machine'],
    ['an HLS stream', { format: 'hls' }, 'An HLS stream can only be rendered on one machine'],
    ['a folder of frames', { format: 'png' }, 'A folder of frames can only be rendered on one machine'],
    ['an unknown format', { format: 'avi' }, 'unknown format "avi"'],
    ['a codec of another format', { format: 'webm', codec: 'h264' }, 'webm does not support the codec "h264"'],
    ['an unknown quality', { quality: 'best' }, 'unknown quality "best"'],
    ['an impossible frame rate', { fps: 300 }, 'fps must be a number from 1 to 240 (got 300)'],
    [
      'a frame rate that is not a number',
      { fps: 'fast' },
      'fps must be a number or a fraction from 1 to 240 (got "fast")',
    ],
    ['a number as a format', { format: 4 }, 'format must be a string (got 4)'],
    ['text as a width', { width: '640' }, 'width must be a number (got "640")'],
    ['an invalid width', { width: 0 }, 'The width must be a whole number of pixels from 1 (got 0)'],
    ['an invalid height', { height: 10.5 }, 'The height must be a whole number of pixels from 1 (got 10.5)'],
    [
      'a size with a resolution',
      { width: 640, resolution: '4k' },
      'The resolution 4k cannot be combined with a width or height',
    ],
    ['an unknown color', { background: 'reddish', aspectRatio: '1:1' }, 'reddish'],
    ['an unknown network', { network: 'none' }, 'network must be "any" or "public" (got "none")'],
    ['a misspelled key', { widht: 640 }, 'the key "widht" is unknown; did you mean "width"?'],
    ['a key of the prototype', JSON.parse('{"__proto__": 1}'), 'the key "__proto__" is unknown'],
    ['text instead of a flag', { strictVariables: 'yes' }, 'strictVariables must be a boolean (got "yes")'],
    ['an array of variables', { variables: ['a'] }, 'variables must be an object (got an array)'],
    ['a date as a variable', { variables: { day: new Date(0) } }, 'variables.day must be JSON (got a Date)'],
    ['a missing value', { variables: { list: [1, undefined] } }, 'variables.list[1] must be JSON (got undefined)'],
    ['a number that JSON lacks', { variables: { a: { b: Number.NaN } } }, 'variables.a.b must be JSON (got NaN)'],
    ['a function', { variables: { a: () => 1 } }, 'variables.a must be JSON (got a function)'],
    ['a value that contains itself', { variables: itself }, 'variables.again[0] contains itself'],
    ['no config', undefined, 'config must be an object (got undefined)'],
  ])('must not have %s', (_what, config, message) => {
    expect(() => checkConfig(config as ServerlessConfig)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(/^\[validateConfig\] config: /) }),
    );
    expect(() => checkConfig(config as ServerlessConfig)).toThrow(message);
  });
});

describe('chunk options', () => {
  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ chunkSize: 1, targetChunkFrames: 60, maxParallelChunks: 400 }, undefined],
    [{ chunkSize: 0 }, 'chunkSize must be a whole number from 1 (got 0)'],
    [{ targetChunkFrames: 1.5 }, 'targetChunkFrames must be a whole number from 1 (got 1.5)'],
    [{ maxParallelChunks: '4' }, 'maxParallelChunks must be a number (got "4")'],
    [{ maxParallelChunks: 401 }, 'maxParallelChunks must be at most 400 (got 401)'],
    [{ auto: true }, undefined],
    [{ auto: true, chunkSize: 240 }, 'auto cannot be combined with chunkSize, targetChunkFrames or maxParallelChunks'],
    [{ auto: 'yes' }, 'auto must be a boolean (got "yes")'],
    [{ chunks: 4 }, 'the key "chunks" is unknown'],
  ])('%j', (chunks, message) => {
    const check = () => checkChunks(chunks);
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(`[validateConfig] config: ${message}`);
  });
});

const target = {
  siteId: '0123456789abcdef',
  bucketName: 'framework-render-renderbucket-abc',
  stateMachineArn: 'arn:aws:states:eu-central-1:123456789012:stateMachine:RenderStateMachine-x',
};

describe('the stack', () => {
  test('has the region of its state machine', () => {
    expect(checkTarget(target)).toBe('eu-central-1');
    expect(regionOf('execution', 'arn:aws-cn:states:cn-north-1:123456789012:execution:Render:r-1')).toBe('cn-north-1');
  });

  test.each<[object, string]>([
    [{ siteId: undefined }, 'siteHandle.siteId must have 16 hexadecimal digits (got undefined)'],
    [{ siteId: 'my-site' }, 'siteHandle.siteId must have 16 hexadecimal digits (got "my-site")'],
    [{ bucketName: 'My_Bucket' }, 'bucketName must be the name of a bucket (got "My_Bucket")'],
    [
      { stateMachineArn: 'RenderStateMachine' },
      'stateMachineArn must be the ARN of a state machine (got "RenderStateMachine")',
    ],
    [
      { stateMachineArn: 'arn:aws:states:eu-central-1:123456789012:execution:Render:r-1' },
      'stateMachineArn must be the ARN of a state machine',
    ],
  ])('must not have %j', (change, message) => {
    expect(() => checkTarget({ ...target, ...change })).toThrow(`[validateConfig] config: ${message}`);
  });
});

test('the SDK rejects a wrong config without credentials or a request', async () => {
  const { siteId, ...stack } = target;
  const order = { ...stack, siteHandle: { siteId }, config: { format: 'mp4', qualty: 'high' } };
  await expect(renderToServerless(order as never)).rejects.toThrow(
    'the key "qualty" is unknown; did you mean "quality"?',
  );
});
