// Checks without a request to AWS: the size of the input and the output key.
import { describe, expect, test } from 'vitest';
import {
  checkInputSize,
  checkOutputKey,
  executionInput,
  outputKeyProblem,
} from '../../../serverless/renders/renderRequest.ts';

const ids = { renderId: 'r-1', bucket: 'b', siteId: 's' };

describe('the input of an execution', () => {
  test('contains the options and the key of the result', () => {
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

  test('may have at most 262144 bytes in the payload of its first state, with the longest possible names', () => {
    // The payload of the first state: {"FunctionName": …, "Payload": {"step": "plan", "input": …}}.
    const longest = { renderId: 'r'.repeat(38), bucket: 'b'.repeat(63), siteId: 's'.repeat(16) };
    const FunctionName = `arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:${'f'.repeat(64)}:1000000`;
    const payloadOf = (length: number) => ({ step: 'plan', input: executionInput(withText(length), longest) });
    const empty = JSON.stringify({ FunctionName, Payload: payloadOf(0) }).length;
    expect(() => checkInputSize(withText(262_144 - empty))).not.toThrow();
    expect(() => checkInputSize(withText(262_145 - empty))).toThrow(
      '[validateConfig] config: the input of the execution, as its first state passes it on, must have at most 262144 bytes (got 262145)',
    );
  });

  test('is measured in bytes of UTF-8', () => {
    const order = { config: { variables: { text: '€'.repeat(90_000) } }, chunks: {} };
    expect(() => checkInputSize(order)).toThrow(/^\[validateConfig\] config: .* \(got 270\d\d\d\)$/);
  });
});

describe('output keys', () => {
  test.each([
    ['', 'must not be empty'],
    ['/a.mp4', 'must not start with a slash'],
    ['a/../b.mp4', 'must not contain "." or ".." as a folder'],
    ['intermediate/a.mp4', 'must not start with code/, intermediate/ or sites/'],
    ['a\nb.mp4', 'must not contain control characters'],
    ['é'.repeat(513), 'must not be longer than 1024 bytes'],
    ['videos/Ünï 1.mp4', undefined],
  ])('checks %j', (key, problem) => {
    expect(outputKeyProblem(key, {})).toBe(problem);
  });

  test.each([
    ['a.webm', { format: 'mp4' }, 'contradicts the format mp4'],
    ['a.GIF', {}, 'contradicts the format mp4'],
    ['a.mp4', { format: 'webm' }, 'contradicts the format webm'],
    ['a.webm', { format: 'webm' }, undefined],
    ['a.v2', { format: 'mov' }, undefined],
    ['mp4', { format: 'mov' }, undefined],
  ])('compares the extension of %j with the format of %j', (key, config, problem) => {
    expect(outputKeyProblem(key, config)).toBe(problem);
  });

  test('are rejected as a usage error', () => {
    expect(() => checkOutputKey('..', {})).toThrow('The output key ".." must not contain "." or ".." as a folder');
  });
});
