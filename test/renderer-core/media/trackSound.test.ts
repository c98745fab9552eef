// From which position of a file a part of its sound is decoded. What is heard is tested in mixAudio.test.ts.
import { expect, test } from 'vitest';
import { decodeArguments } from '../../../renderer-core/media/trackSound.ts';

const mov = 'mov,mp4,m4a,3gp,3g2,mj2';

test.each([
  ['the beginning of a file', mov, 0, undefined],
  ['a start close to the beginning', mov, 1.5, undefined],
  ['a start in a long file from two seconds before it', mov, 30.25, '28'],
  ['a file with estimated time stamps from its beginning', 'mp3', 30.25, undefined],
  ['a file with rounded time stamps from its beginning', 'matroska,webm', 30.25, undefined],
])('decodes %s', (_, container, seconds, position) => {
  const facts = { container, duration: 60, start: 0, video: null, audio: { codec: 'aac', layout: 'stereo' } };
  const range = { first: seconds * 48_000, end: (seconds + 1) * 48_000 };
  const args = decodeArguments('/a b.m4a', facts, range);
  expect(args.includes('-ss') ? args[args.indexOf('-ss') + 1] : undefined).toBe(position);
});
