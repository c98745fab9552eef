// Rules for captions: the borders between what is reported and what is not.
import { test } from 'vitest';
import { check } from './lint.ts';

/** A video of 5 seconds with one caption. The marked range is the place of the finding. */
const video = (source: string, caption: string) =>
  `=== index.html
<div data-composition-id="m" data-duration="5">${source}</div>
=== talk.vtt
WEBVTT

${caption}
`;

test('reports more than 20 characters per second', () => {
  const twenty = 'Twenty characters ok';
  check(video('<p data-captions-src="talk.vtt"></p>', `00:01.000 --> 00:02.000\n${twenty}`), 'fast-captions', {
    findings: [],
  });
  check(video('<p data-captions-src="«talk.vtt»"></p>', `00:01.000 --> 00:02.000\n${twenty}!`), 'fast-captions', {
    findings: [
      'info fast-captions: talk.vtt, line 3: this caption has 21 characters per second; people read at most 20',
    ],
  });
});

test('compares the end of the video with the times that are shown', () => {
  const caption = '00:03.000 --> 00:07.000\na';
  check(video('<p data-captions-src="«talk.vtt»"></p>', caption), 'captions-after-end', {
    findings: ['warning captions-after-end: talk.vtt, line 3: this caption ends 2 s after the composition'],
  });
  check(video('<p data-captions-src="talk.vtt" data-media-start="2"></p>', caption), 'captions-after-end', {
    findings: [],
  });
  check(
    video('<p data-captions-src="«talk.vtt»" data-media-start="2" data-start="1" data-duration="4"></p>', caption),
    'captions-after-end',
    { findings: ['warning captions-after-end: talk.vtt, line 3: this caption ends 1 s after its clip'] },
  );
});
