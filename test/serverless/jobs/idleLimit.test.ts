// How long commands wait for chunks.
import { expect, test } from 'vitest';
import { idleLimit } from '../../../serverless/jobs/idleLimit.ts';

test('a wait ends after an hour without progress', () => {
  let minute = 0;
  const stillWaits = idleLimit(() => minute * 60_000);
  minute = 59;
  stillWaits('1 of 3');
  minute = 118;
  stillWaits('1 of 3');
  stillWaits('2 of 3');
  minute = 177;
  stillWaits('2 of 3');
  minute = 178;
  expect(() => stillWaits('2 of 3')).toThrow('The job has made no progress for 60 minutes');
});
