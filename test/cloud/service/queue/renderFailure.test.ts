// What an error of a render means to its owner, and whether another attempt may succeed.
import { expect, test } from 'vitest';
import { TransientError } from '../../../../cloud/service/queue/renderEngine.ts';
import { mayPass, renderFailure } from '../../../../cloud/service/queue/renderFailure.ts';
import { UserError } from '../../../../renderer-core/errors.ts';

test.each([
  ['the browser exited', new UserError('browser_failed', 'The browser exited.'), 'internal_error', true],
  ['ffmpeg exited', new UserError('ffmpeg_failed', 'ffmpeg failed.'), 'internal_error', true],
  ['AWS did not respond', new TransientError('no response'), 'internal_error', true],
  ['an error of our own', new TypeError('x is not a function'), 'internal_error', true],
  ['the page crashed', new UserError('page_crashed', 'The page crashed.'), 'page_crashed', true],
  ['a script failed', new UserError('script_error', 'A script failed.'), 'framework_project_invalid', false],
  ['an option is wrong', new UserError('usage', 'too large'), 'invalid_parameter', false],
])('reports why a render failed if %s', (_, error, code, isRetried) => {
  const failure = renderFailure(error, []);
  expect(failure.code).toBe(code);
  expect(mayPass(failure)).toBe(isRetried);
});
