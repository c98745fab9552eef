// What is refused before AWS is asked anything: inputs that are too large, keys that cannot be.
import { describe, expect, test } from 'vitest';
import type { ServerlessConfig } from '../../renderer-core/serverless/execution.ts';
import {
  checkConfig,
  checkInputSize,
  checkOutputKey,
  executionInput,
  outputKeyProblem,
} from '../../renderer-core/serverless/order.ts';

const ids = { renderId: 'r-1', bucket: 'b', siteId: 's' };

describe('the input of an execution', () => {
  test('holds what was asked for, and a place for the result', () => {
    const order = { config: { format: 'webm', variables: { title: 'Hi' } }, chunks: { chunkSize: 60 } };
    expect(executionInput(order, ids)).toEqual({
      version: 1,
      renderId: 'r-1',
      bucket: 'b',
      siteId: 's',
      outputKey: 'renders/r-1.webm',
      config: { format: 'webm', variables: { title: 'Hi' } },
      chunks: { chunkSize: 60 },
    });
  });

  const withText = (length: number) => ({
    config: { variables: { text: 'x'.repeat(length) } },
    chunks: {},
    outputKey: 'a.mp4',
  });

  test('may have 262144 bytes with the longest names it can get, and not one more', () => {
    const longest = { renderId: 'r'.repeat(38), bucket: 'b'.repeat(63), siteId: 's'.repeat(16) };
    const empty = JSON.stringify(executionInput(withText(0), longest)).length;
    expect(() => checkInputSize(withText(262_144 - empty))).not.toThrow();
    expect(() => checkInputSize(withText(262_145 - empty))).toThrow(
      '[validateConfig] config: the input of the execution has 262145 bytes, and at most 262144 are allowed',
    );
  });

  test('is measured in bytes of UTF-8', () => {
    const order = { config: { variables: { text: '€'.repeat(90_000) } }, chunks: {} };
    expect(() => checkInputSize(order)).toThrow(/^\[validateConfig\] config: .* has 270\d\d\d bytes/);
  });
});

describe('what no machine but this one renders, or nobody', () => {
  test.each<[string, ServerlessConfig, string]>([
    ['HDR', { hdr: true }, 'HDR video is rendered on one machine alone'],
    ['frames', { format: 'png' }, 'A folder of frames is rendered on one machine alone'],
    ['a width', { width: 0 }, '[validateConfig] config: width is no whole number of pixels (0)'],
    ['a height', { height: 10.5 }, '[validateConfig] config: height is no whole number of pixels (10.5)'],
  ])('%s', (_what, config, message) => expect(() => checkConfig(config)).toThrow(message));
});

describe('keys of results', () => {
  test.each([
    ['', 'is empty'],
    ['/a.mp4', 'begins with a slash'],
    ['a/../b.mp4', 'has "." or ".." in its path'],
    ['intermediate/a.mp4', 'begins with a folder that the stack keeps for itself'],
    ['a\nb.mp4', 'has control characters'],
    ['é'.repeat(513), 'is longer than 1024 bytes'],
    ['videos/Ünï 1.mp4', undefined],
  ])('%j', (key, problem) => {
    expect(outputKeyProblem(key)).toBe(problem);
  });

  test('are a usage error', () => {
    expect(() => checkOutputKey('..')).toThrow('The output key ".." has "." or ".." in its path');
  });
});
