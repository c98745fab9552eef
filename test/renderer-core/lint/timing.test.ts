// Rules for clips: fixes, and what is left alone.
import { test } from 'vitest';
import { check } from './lint.ts';

const page = (inside: string) => `<div data-composition-id="m" data-duration="10">${inside}</div>`;

test('reports a start that refers to an unknown clip', () => {
  const two = (start: string, id = 'intro') =>
    page(`<p id="${id}" data-start="0" data-duration="2">a</p><p data-start="${start}">b</p>`);
  check(two('«intor» + 1'), 'unknown-clip', {
    findings: ['error unknown-clip: No clip has the id "intor"; did you mean "intro"?'],
    fixes: { 'Change to "intro"': two('intro + 1') },
    related: ['index.html 0: The clip "intro"'],
  });
  check(two('«intro-1»'), 'unknown-clip', {
    findings: [
      'error unknown-clip: No clip has the id "intro-1"; write "intro - 1", with spaces, to start 1 s before the end of "intro"',
    ],
    fixes: { 'Change to "intro - 1" *': two('intro - 1') },
  });
  check(two('«2s»'), 'unknown-clip', {
    findings: ['error unknown-clip: No clip has the id "2s"; write seconds without a unit'],
    fixes: { 'Change to "2" *': two('2') },
  });
  check(page('<p id="title">a</p><p data-start="«title»">b</p>'), 'unknown-clip', {
    findings: ['error unknown-clip: "title" is not a clip: the element has no data-start'],
    related: ['index.html <p id="title">: The element with the id "title"'],
  });
});

test('reports clips of another file and of another composition in this file', () => {
  check(
    `=== index.html\n${page('<div data-composition-src="a.html"></div><p data-start="«intro»">b</p>')}\n=== a.html\n<div data-composition-id="a"><p id="intro" data-start="0"></p></div>`,
    'unknown-clip',
    {
      findings: ['error unknown-clip: "intro" is a clip in a.html; data-start can only refer to clips in its own file'],
      related: ['a.html 0: The clip "intro"'],
    },
  );
  check(
    page(
      '<div data-composition-id="a"><p id="intro" data-start="0" data-duration="1"></p></div><p data-start="«intro»">b</p>',
    ),
    'foreign-clip',
    {
      findings: [
        `warning foreign-clip: "intro" is a clip of another composition in this file; its end is measured in that composition's time`,
      ],
    },
  );
});

test('uses the duration of embedded compositions and of media files', () => {
  const child = (duration: string) => `\n=== a.html\n<div data-composition-id="a"${duration}></div>`;
  const host = page(
    '<div id="h" data-composition-src="a.html" data-start="0"></div><p data-start="h" data-duration="1">b</p>',
  );
  check(
    `=== index.html\n${host}${child(' data-duration="12"')}`.replace('<p data-start="h"', '<p data-start="«h»"'),
    'unseen-clip unknown-end',
    {
      findings: ['warning unseen-clip: <p> starts at 12 s, but the composition ends at 10 s'],
    },
  );
  check(`=== index.html\n${host}${child('')}`, 'unseen-clip unknown-end', { findings: [] });
  check(page('<video id="v" data-start="0"></video><p data-start="v">b</p>'), 'unknown-end', { findings: [] });
});

test('reports overlapping clips, and offers a free track', () => {
  const clips = (...tracks: string[]) =>
    page(
      tracks
        .map(
          (track, index) =>
            `<p id="c${index}" data-start="${index}" data-duration="1.5" data-track-index="${track}">x</p>`,
        )
        .join(''),
    );
  check(clips('1', '«1»', '2'), 'overlapping-clips', {
    findings: ['warning overlapping-clips: "c1" overlaps "c0" on track 1 (1 s to 1.5 s)'],
    fixes: { 'Move to track 3': clips('1', '3', '2') },
    related: ['index.html 0: "c0" starts here'],
  });
  check(clips('1', '2', '1'), 'overlapping-clips', { findings: [] });
});

test('reports a gap of less than a frame between clips, and closes it', () => {
  const clips = (duration: string, start: string, fps = '30') =>
    `<div data-composition-id="m" data-width="8" data-height="8" data-duration="5" data-fps="${fps}"><p id="a" data-start="0.5" data-duration="${duration}" data-track-index="1"></p><p id="b" data-start="${start}" data-duration="1" data-track-index="1"></p></div>`;
  const check30 = (duration: string, start: string) =>
    check(clips(duration, start), 'gap-between-clips', { findings: [] });
  check(clips('1.49', '«2»'), 'gap-between-clips', {
    findings: [
      'warning gap-between-clips: "b" starts 10 ms after the end of "a"; a frame that falls into this gap shows neither of them',
    ],
    fixes: { 'End "a" where "b" starts': clips('1.5', '2') },
    related: ['index.html 0.5: "a" starts here'],
  });
  check30('1.499', '2');
  check30('1.4', '2');
  check30('1.5', '2');
  check30('1.51', '2');
  check(clips('1.49', '2', '120'), 'gap-between-clips', { findings: [] });
  for (const duration of ['1.4667', '1.4666666666666666', '1.466', '1.467'])
    check(clips(duration, '1.967'), 'overlapping-clips', { findings: [] });
});

test('accepts clips that do not overlap', () => {
  check(
    page(
      '<video data-start="0" data-duration="5" data-track-index="0"></video><audio data-start="0" data-duration="5" data-track-index="0"></audio>',
    ),
    'overlapping-clips',
    { findings: [] },
  );
  check(
    page(
      '<p data-start="0" data-duration="2" data-track-index="0"></p><p data-start="2" data-duration="2" data-track-index="0"></p>',
    ),
    'overlapping-clips',
    { findings: [] },
  );
  check(page('<p data-start="0" data-duration="2"></p><p data-start="0" data-duration="2"></p>'), 'overlapping-clips', {
    findings: [],
  });
  check(
    page('<p data-start="0" data-track-index="0"></p><p data-start="1" data-duration="1" data-track-index="0"></p>'),
    'overlapping-clips',
    { findings: [] },
  );
  check(
    page(
      '<div data-composition-id="a"><p data-start="0" data-duration="2" data-track-index="0"></p></div><div data-composition-id="b"><p data-start="0" data-duration="2" data-track-index="0"></p></div>',
    ),
    'overlapping-clips',
    { findings: [] },
  );
});

test('reports numbers with units, and converts them', () => {
  const clip = (duration: string) => page(`<p data-start="0" data-duration="${duration}"></p>`);
  const message = (given: string) =>
    `error not-a-number: data-duration must be a number (got "${given}"); leave out the unit`;
  check(clip('«5s»'), 'not-a-number', { findings: [message('5s')], fixes: { 'Change to "5" *': clip('5') } });
  check(clip('«250 ms»'), 'not-a-number', {
    findings: [message('250 ms')],
    fixes: { 'Change to "0.25" *': clip('0.25') },
  });
  check(clip('«1,5»'), 'not-a-number', {
    findings: ['error not-a-number: data-duration must be a number (got "1,5")'],
    fixes: { 'Change to "1.5"': clip('1.5') },
  });
  check(clip('{{seconds}}'), 'not-a-number', { findings: [] });
  const sound = (volume: string) => page(`<audio data-volume="${volume}"></audio>`);
  check(sound('«50%»'), 'not-a-number', {
    findings: ['warning not-a-number: data-volume must be a number (got "50%"); write 0.5 instead of 50%'],
    fixes: { 'Change to "0.5" *': sound('0.5') },
  });
  check(page('<video data-start="0" data-volume="«2»"></video>'), 'number-out-of-range', {
    findings: ['warning number-out-of-range: data-volume must be a number from 0 to 1 (got 2)'],
  });
  const poster = (time: string) =>
    `<div data-composition-id="m" data-width="8" data-height="8" data-duration="5" data-poster-time="${time}"></div>`;
  check(poster('«6»'), 'number-out-of-range', {
    findings: ['warning number-out-of-range: data-poster-time must be within the video, from 0 to 5 (got 6)'],
  });
  check(poster('«-1»'), 'number-out-of-range', {
    findings: ['warning number-out-of-range: data-poster-time must be a number of at least 0 (got -1)'],
  });
  check(poster('«1500ms»'), 'not-a-number', {
    findings: ['warning not-a-number: data-poster-time must be a number (got "1500ms"); leave out the unit'],
    fixes: { 'Change to "1.5" *': poster('1.5') },
  });
  check(poster('5'), 'number-out-of-range', { findings: [] });
});

test('reports a time zone and a language that do not exist', () => {
  const root = (attribute: string) => `<div data-composition-id="m" ${attribute} data-duration="1"></div>`;
  check(root('data-timezone="«Berlin»"'), 'unknown-locale', {
    findings: [
      'error unknown-locale: data-timezone must be the name of a time zone, such as Europe/Berlin (got "Berlin")',
    ],
  });
  check(root('data-locale="«de_DE»"'), 'unknown-locale', {
    findings: ['error unknown-locale: data-locale must be a language tag, such as de-CH (got "de_DE")'],
  });
  check(root('data-timezone="Europe/Berlin" data-locale="de-DE"'), 'unknown-locale', { findings: [] });
  check(root('data-timezone="{{ zone }}"'), 'unknown-locale', { findings: [] });
});

test('reports sizes that cannot be read, and repeated ones', () => {
  const root = (sizes: string) => `<div data-composition-id="m" data-sizes="${sizes}" data-duration="1"></div>`;
  check(root('«1920x1080 9:16»'), 'invalid-sizes', {
    findings: ['error invalid-sizes: data-sizes must be sizes in pixels, such as 1920x1080 1080x1920 (got "9:16")'],
  });
  check(root('«1080x1080 1080x1080»'), 'invalid-sizes', {
    findings: ['warning invalid-sizes: data-sizes contains 1080x1080 more than once'],
  });
  check(root('1920x1080 1080x1920'), 'invalid-sizes', { findings: [] });
});

test('removes a start on the root', () => {
  check('<div data-composition-id="m" data-start="«2»" data-duration="1"></div>', 'root-start', {
    findings: ['warning root-start: The root composition always starts at 0; data-start has no effect here'],
    fixes: { 'Remove data-start': '<div data-composition-id="m" data-duration="1"></div>' },
  });
});

test('derives the size from the page', () => {
  const page = (head: string, attributes = '') =>
    `<html><head>${head}</head><body><div id="root" class="stage" data-composition-id="m"${attributes}></div></body></html>`;
  const sized = (head: string, width: number, height: number, attributes = '', extra = '') =>
    check(page(head, attributes).replace(/<div[^>]*>/, '«$&»'), 'missing-size', {
      findings: ['error missing-size: The composition has no data-width and data-height'],
      fixes: {
        [`Add data-width="${width}" data-height="${height}"`]: page(
          head,
          `${attributes} data-width="${width}" data-height="${height}"${extra}`,
        ),
      },
    });
  sized('', 1920, 1080);
  sized('<meta name="viewport" content="width=1080, height=1350">', 1080, 1350);
  sized('<style>body { width: 100px; height: 50px } #root, .x { width: 1080px; height: 1920px; }</style>', 1080, 1920);
  sized('<style>.stage{max-width:5px;width:800px;height:600px}</style>', 800, 600);
  sized('', 640, 360, ' style="width:640px;height:360px"');
});

test('requires no size of embedded files, fragments and templates', () => {
  const child = '<html><div data-composition-id="c"></div></html>';
  check(
    `=== c.html\n${child}\n=== index.html\n<div data-composition-id="m"><div data-composition-src="c.html"></div></div>`,
    'missing-size missing-duration',
    { findings: [] },
  );
  check('<div data-composition-id="c"></div>', 'missing-size', { findings: [] });
  check('<template><div data-composition-id="c"></div></template>', 'missing-size', { findings: [] });
});

test('reports a composition that nothing can end', () => {
  const root = (attributes: string) => `<div data-composition-id="m" data-width="1" data-height="1"${attributes}>`;
  check(`<html>«${root('')}»<p>x</p></div></html>`, 'missing-duration', {
    findings: [
      'error missing-duration: The composition cannot be rendered: it has no data-duration, and no clip, media or script that could end it',
    ],
    fixes: { 'Add data-duration="5"': `<html>${root(' data-duration="5"')}<p>x</p></div></html>` },
  });
});

test.each([
  '<script>window.__timelines.m = gsap.timeline()</script>',
  '<img src="a.png" onload="start()">',
  '<audio src="a.mp3"></audio>',
])('accepts a composition that may end without a declared duration: %s', (content) => {
  check(
    `<html>«<div data-composition-id="m" data-width="1" data-height="1">»${content}</div></html>`,
    'missing-duration',
    {
      findings: [
        'info missing-duration: The composition has no data-duration; the video will be as long as its timelines and clips',
      ],
    },
  );
});

test('derives the duration from the clips', () => {
  const root = (attributes: string) =>
    `<html>${attributes.includes('duration') ? '' : '«'}<div data-composition-id="m" data-width="1"${attributes}>${attributes.includes('duration') ? '' : '»'}<p data-start="1" data-duration="2.5"></p></div></html>`;
  check(root(''), 'missing-duration', {
    findings: [
      'info missing-duration: The composition has no data-duration; the video will be as long as its timelines and clips',
    ],
    fixes: { 'Add data-duration="3.5"': root(' data-duration="3.5"') },
  });
});
