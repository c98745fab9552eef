// When clips are visible, and the state of GSAP timelines in each frame.
import { describe } from 'vitest';
import {
  black,
  blue,
  box,
  cases,
  green,
  integer,
  mount,
  page,
  red,
  register,
  withGsap,
} from '../../../support/renders/frames.ts';

describe('clips', () => {
  const timed = (index: number, start: string, duration: string | null, inner = '', style = '') =>
    `<div data-start="${start}" ${duration === null ? '' : `data-duration="${duration}"`} id="c${index}" style="position:absolute;top:0;left:${8 * index}px;width:8px;height:8px;background:red;${style}">${inner}</div>`;
  const clips = (body: string) => page(body, { duration: 1 });
  cases([
    [
      'a clip from its start until just before its end',
      clips(timed(0, '0.2', '0.3')),
      { 0: [black], 1: [black], 2: [red], 4: [red], 5: [black], 9: [black] },
    ],
    ['a clip without an end until the end of the video', clips(timed(0, '0.9', null)), { 8: [black], 9: [red] }],
    [
      'touching clips with times in milliseconds',
      clips(timed(0, '0.033', '0.034') + timed(1, '0.067', '0.033') + timed(2, 'c1', '0.067')),
      {
        0: [black, black, black],
        1: [red, black, black],
        2: [black, red, black],
        3: [black, black, red],
        4: [black, black, red],
        5: [black, black, black],
      },
      { fps: '30' },
    ],
    [
      'a mounted file, and an animation in it, from a time in milliseconds',
      {
        'index.html': clips('<div data-composition-src="m.html" data-start="0.067" data-duration="0.1"></div>'),
        'm.html': `<div data-composition-id="m">${box(0, red, 'class="a"', 'animation:a 1s step-end')}<style>@keyframes a { 0% { background: blue } 3% { background: lime } }</style></div>`,
      },
      { 1: [black], 2: [blue], 3: [green], 4: [green], 5: [black] },
      { fps: '30' },
    ],
    [
      'no clip whose timed ancestor is hidden, even with visibility:visible',
      clips(
        timed(0, '0.2', '0.2', box(0, green, 'data-start="0" data-duration="0.9"', 'visibility:visible')) +
          timed(1, '0', '0.2', '<p id="p">x</p>') +
          '<style>#p{margin:0;width:8px;height:8px;background:lime;color:lime;visibility:visible!important}</style>',
      ),
      { 0: [black, green], 2: [green, black], 3: [green, black], 4: [black, black] },
    ],
    [
      'sharp ends of a clip with a transition of all properties',
      clips(timed(0, '0.2', '0.3', '', 'transition:all 0.4s')),
      { 1: [black], 2: [red], 4: [red], 5: [black] },
    ],
    [
      'durations and clips that scripts have set or added',
      clips(`${timed(0, '0', '0.9')}<script>document.getElementById('c0').setAttribute('data-duration', 0.2);
        document.getElementById('root').insertAdjacentHTML('beforeend', \`${timed(1, 'c0', '0.1')}\`)</script>`),
      { 1: [red, black], 2: [black, red], 3: [black, black] },
    ],
    [
      'a mount as a clip, and the clips in it relative to its start',
      {
        'index.html': clips(mount('m.html', {}, 'data-start="0.3" data-duration="0.4"')),
        'm.html': `<div data-composition-id="m">${box(0, red)}${timed(1, '0.2', '0.1')}</div>`,
      },
      { 2: [black, black], 3: [red, black], 5: [red, red], 6: [red, black], 7: [black, black] },
    ],
  ]);
});

const gsapPage = (script: string, body = '') =>
  page(`${box(0, black, 'id="a"')}${body}<script src="gsap.js"></script><script>${script}</script>`, { duration: 1 });

describe('GSAP timelines', () => {
  cases([
    [
      'a timeline at the times of the frames',
      withGsap(
        gsapPage(
          `const o = { v: 0 }; ${register()} tl.to(o, { v: 1000, duration: 1, ease: 'none', onUpdate: () => number(0, o.v) })`,
        ),
      ),
      { 1: [100], 5: [500], 9: [900] },
    ],
    [
      'a timeline that was not paused',
      withGsap(
        gsapPage(
          `const o = { v: 0 }; ${register('')} tl.to(o, { v: 1000, duration: 1, ease: 'none', onUpdate: () => number(0, o.v) })`,
        ),
      ),
      { 1: [100], 5: [500], 9: [900] },
    ],
    [
      'set() at 0 in the first frame',
      withGsap(gsapPage(`${register()} tl.set('#a', { backgroundColor: '#f00' }, 0)`)),
      { 0: [red] },
    ],
    [
      'from() in the first frame',
      withGsap(
        gsapPage(`${register()} tl.from('#a', { x: 8, backgroundColor: '#f00', duration: 0.5, ease: 'steps(1)' })`),
      ),
      { 0: [black, red], 5: [black, black] },
    ],
    [
      'call() once, in its frame, with its side effects',
      withGsap(
        gsapPage(
          `let n = 0; ${register()} const count = () => number(0, ++n); tl.call(count, null, 0).call(count, null, 0.3).to({}, { duration: 1 }, 0)`,
        ),
      ),
      { 0: [1], 2: [1], 3: [2], 9: [2] },
    ],
    [
      'call() of a timeline that was not paused',
      withGsap(
        gsapPage(
          `let n = 0; ${register('')} const count = () => number(0, ++n); tl.call(count, null, 0).call(count, null, 0.3).to({}, { duration: 1 }, 0)`,
        ),
      ),
      { 0: [1], 2: [1], 3: [2], 9: [2] },
    ],
    [
      'tweens outside of timelines',
      withGsap(
        gsapPage(
          `const o = { v: 0 }; gsap.to(o, { v: 1000, duration: 1, ease: 'none', onUpdate: () => number(0, o.v) })`,
        ),
      ),
      { 1: [100], 9: [900] },
    ],
    [
      'tweens outside of timelines, at one frame per second',
      withGsap(
        page(
          `<script src="gsap.js"></script><script>const o = { v: 0 }; gsap.to(o, { v: 1000, duration: 10, ease: 'none', onUpdate: () => number(0, o.v) })</script>`,
          { duration: 5 },
        ),
      ),
      { 1: [100], 4: [400] },
      { fps: '1' },
    ],
    [
      'the timeline of an embedded composition from the start of its host',
      withGsap(
        page(`${mount('m.html', {}, 'data-start="0.3" data-duration="0.5"')}<script src="gsap.js"></script>`, {
          duration: 1,
        }),
        {
          'm.html': `<div data-composition-id="m"><script src="gsap.js"></script><script>
          const o = { v: 1 }, tl = gsap.timeline({ paused: true }); window.__timelines = window.__timelines || {}; window.__timelines['m'] = tl;
          let calls = 0; tl.call(() => number(1, ++calls), null, 0).to(o, { v: 1001, duration: 1, ease: 'none', onUpdate: () => number(0, o.v) }, 0)</script></div>`,
        },
      ),
      { 2: [0, 0], 3: [1, 1], 5: [201, 1], 9: [601, 1] },
    ],
    [
      'tweens with selector strings only inside their mount',
      withGsap(
        page(
          `${box(0, blue, 'class="box"')}<script src="gsap.js"></script>${mount('m.html', { at: 1 })}${mount('m.html', { at: 2 })}`,
          { duration: 0.3 },
        ),
        {
          'm.html': `<html data-composition-variables='${JSON.stringify([integer('at', 0)])}'><head><style>.box{position:absolute;top:0;width:8px;height:8px;left:calc(8px * var(--at))}</style></head><body>
          <div data-composition-id="m"><div class="box"></div><script>
          const tl = window.__timelines['m'] = gsap.timeline({ paused: true });
          tl.to('.box', { backgroundColor: __framework.getVariables().at === 1 ? '#f00' : '#0f0', duration: 0.1 })</script></div></body></html>`,
        },
      ),
      { 2: [blue, red, green] },
    ],
  ]);
});
