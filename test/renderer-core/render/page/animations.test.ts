// CSS animations, transitions, Web Animations and animated SVG at the times of the frames.
import { describe } from 'vitest';
import { black, box, cases, green, page, red } from '../../../support/renders/frames.ts';

describe('browser animations', () => {
  const keyframes = '<style>@keyframes k{from{transform:translateX(0)}to{transform:translateX(40px)}}</style>';
  cases([
    [
      'a CSS animation from time 0',
      page(`${keyframes}${box(0, red, '', 'animation:k 0.5s linear')}`, { duration: 1 }),
      { 0: [red], 1: [black, red], 4: [black, black, black, black, red], 5: [red] },
    ],
    [
      'a CSS animation from the start of its clip',
      page(`${keyframes}${box(0, red, 'data-start="0.3"', 'animation:k 0.5s linear')}`, { duration: 1 }),
      { 2: [black], 3: [red], 4: [black, red] },
    ],
    [
      'a transition from @starting-style from the start of its clip',
      page(
        `<style>#a,#b{transition:transform 0.5s linear;transform:translateX(40px)}@starting-style{#a,#b{transform:none}}</style>${box(0, red, 'id="a"')}<div data-start="0.3">${box(1, green, 'id="b"')}</div>`,
        { duration: 1 },
      ),
      {
        0: [red, black],
        2: [black, black, red],
        3: [black, green, black, red],
        5: [black, black, black, green, black, red],
      },
    ],
    [
      'a CSS animation with delay, fill and repetition',
      page(
        `${keyframes}${box(0, red, '', 'animation:k 0.5s linear 0.2s both')}${box(1, green, '', 'animation:k 0.5s linear infinite')}`,
        { duration: 1 },
      ),
      {
        0: [red, green],
        1: [red, black, green],
        3: [black, red, black, black, green],
        5: [black, green, black, red],
        8: [black, black, black, black, green, red],
      },
    ],
    [
      'a CSS animation from the time a class adds it',
      page(
        `${keyframes}<style>.go{animation:k 0.5s linear}</style>${box(0, red, 'id="a"')}<script>setTimeout(() => document.getElementById('a').classList.add('go'), 300)</script>`,
        { duration: 1 },
      ),
      { 2: [red], 3: [red], 4: [black, red], 7: [black, black, black, black, red] },
    ],
    [
      'a paused CSS animation without movement until it is resumed',
      page(
        `${keyframes}${box(0, red, 'id="a"', 'animation:k 0.5s linear;animation-play-state:paused')}<script>setTimeout(() => { document.getElementById('a').style.animationPlayState = 'running' }, 300)</script>`,
        { duration: 1 },
      ),
      { 2: [red], 3: [red], 4: [black, red] },
    ],
    [
      'the start of a short CSS animation in the first frame of a page that loads slowly',
      {
        'index.html': page(
          `${keyframes}${box(0, red, '', 'animation:k 0.05s linear')}${box(1, red, '', 'animation:k 0.5s linear')}<script>fetch('a.json').then((r) => r.json()).then(() => { const end = new Date(); let n = 0; while (n < 3e8) n++; })</script>`,
        ),
        'a.json': '{}',
      },
      { 0: [red, red] },
    ],
    [
      'a transition started by a timer',
      page(
        `<style>#a{transition:transform 0.4s linear}#a.on{transform:translateX(32px)}</style>${box(0, red, 'id="a"')}<script>setTimeout(() => document.getElementById('a').classList.add('on'), 200)</script>`,
        { duration: 1 },
      ),
      {
        1: [red],
        2: [red],
        3: [black, red],
        5: [black, black, black, red],
        6: [black, black, black, black, red],
        9: [black, black, black, black, red],
      },
    ],
    [
      'element.animate(), started later and at a higher rate',
      page(
        `${box(0, red, 'id="a"')}${box(1, green, 'id="b"')}<script>
        const move = (id, options) => document.getElementById(id).animate({ transform: ['translateX(0)', 'translateX(40px)'] }, options);
        move('a', 500); setTimeout(() => { move('b', { duration: 1000, fill: 'forwards' }).playbackRate = 2 }, 400)</script>`,
        { duration: 1 },
      ),
      {
        0: [red, green],
        2: [black, green, red],
        4: [black, green, black, black, red],
        5: [red, black, green],
        9: [red, black, black, black, black, black, green],
      },
    ],
    [
      'an animation that the page pauses and seeks, at the time it was set to',
      page(
        `${box(0, red, 'id="a"')}<script>const a = document.getElementById('a').animate({ transform: ['translateX(0)', 'translateX(40px)'] }, 500); a.pause();
        setTimeout(() => { a.currentTime = 100 }, 300)</script>`,
        { duration: 1 },
      ),
      { 1: [red], 2: [red], 3: [black, red], 5: [black, red] },
    ],
    [
      'SVG animation elements',
      page(
        `<svg width="64" height="8" style="position:absolute;top:0;left:0" data-start="0.2"><rect width="8" height="8" fill="red"><animate attributeName="x" from="0" to="40" dur="0.5s" fill="freeze"/></rect></svg>`,
        { duration: 1 },
      ),
      { 1: [black], 2: [red], 3: [black, red], 9: [black, black, black, black, black, red] },
    ],
    [
      'an animation that starts when another one finishes',
      page(
        `${box(0, red, 'id="a"')}<script>(async () => {
        const to = (x) => document.getElementById('a').animate({ transform: 'translateX(' + x + 'px)' }, { duration: 200, fill: 'forwards' }).finished;
        await to(8); await to(24);
      })()</script>`,
        { duration: 1 },
      ),
      { 2: [black, red], 3: [black, black, red], 4: [black, black, black, red] },
    ],
    [
      'animationend and transitionend events in the right frame',
      page(
        `<style>@keyframes k{to{opacity:0.5}}#a{animation:k 0.2s}#b{transition:opacity 0.3s}</style><p id="a"></p><p id="b"></p>
        <script>addEventListener('animationend', () => number(0, performance.now())); addEventListener('transitionend', () => number(1, performance.now()));
        setTimeout(() => { document.getElementById('b').style.opacity = 0 }, 100)</script>`,
        { duration: 1 },
      ),
      { 1: [0, 0], 2: [200, 0], 4: [200, 400], 9: [200, 400] },
    ],
  ]);
});

describe('animations in shadow trees', () => {
  const css = '<style>@keyframes k{to{transform:translateX(40px)}}</style>';
  const moving = `${css}${box(0, red, '', 'animation:k 0.5s linear')}`;
  const attach = (mode: string, html: string) =>
    `<script>document.getElementById('h').attachShadow({ mode: '${mode}' }).innerHTML = ${JSON.stringify(html)}</script>`;
  cases([
    ...['open', 'closed'].map((mode): Parameters<typeof cases>[0][number] => [
      `a CSS animation in a root that is ${mode}`,
      page(`<div id="h"></div>${attach(mode, moving)}`, { duration: 1 }),
      { 0: [red], 1: [black, red], 4: [black, black, black, black, red], 5: [red] },
    ]),
    [
      'a CSS animation in a root in a root, both in markup',
      page(
        `<div><template shadowrootmode="open"><div><template shadowrootmode="open">${moving}</template></div></template></div>`,
        { duration: 1 },
      ),
      { 0: [red], 1: [black, red], 4: [black, black, black, black, red] },
    ],
    [
      'a CSS animation from the start of the clip around its tree',
      page(`<div id="h" data-start="0.3"></div>${attach('open', moving)}`, { duration: 1 }),
      { 2: [black], 3: [red], 4: [black, red] },
    ],
    [
      'a transition that a script starts',
      page(
        `<div id="h"></div><script>
          const root = document.getElementById('h').attachShadow({ mode: 'open' });
          root.innerHTML = ${JSON.stringify(box(0, red, 'id="a"', 'transition:transform 0.5s linear'))};
          setTimeout(() => { root.getElementById('a').style.transform = 'translateX(40px)' }, 300);
        </script>`,
        { duration: 1 },
      ),
      { 3: [red], 4: [black, red], 7: [black, black, black, black, red] },
    ],
    [
      'an animated SVG',
      page(
        `<div id="h"></div>${attach('open', '<svg width="48" height="8" style="position:absolute;left:0;top:0"><rect width="8" height="8" fill="#ff0000"><animate attributeName="x" to="40" dur="0.5s" fill="freeze"/></rect></svg>')}`,
        { duration: 1 },
      ),
      { 0: [red], 1: [black, red], 5: [black, black, black, black, black, red] },
    ],
  ]);
});
