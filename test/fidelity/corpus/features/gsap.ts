// Timelines of GSAP.
import { readFileSync } from 'node:fs';
import { many, page } from '../../page.ts';

const library = readFileSync(new URL('../../../../node_modules/gsap/dist/gsap.min.js', import.meta.url));

export const gsap = [
  page(
    'GSAP',
    '.g { position: absolute; left: calc(20px + var(--i) * 44px); top: 110px; width: 36px; height: 36px; background: #06c; border-radius: 8px }',
    `${many(10, 'g')}<script>const tl = gsap.timeline({ paused: true }); tl.from('.g', { y: -100, opacity: 0, rotation: 180, stagger: .03, duration: .25, ease: 'back.out(2)' }).to('.g', { backgroundColor: '#fc0', borderRadius: '50%', scale: .6, stagger: .02, duration: .15 }); window.__timelines = { main: tl };</script>`,
    { head: '<script src="gsap.js"></script>', files: { 'gsap.js': library } },
  ),
];
