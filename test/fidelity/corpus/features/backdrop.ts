// Backdrop filters.
import { many, page } from '../../page.ts';

const photo =
  'radial-gradient(circle at 30% 30%, #ffd9a0, #d2603a 40%, #2b1a3d), repeating-linear-gradient(45deg, #0003 0 6px, #fff3 6px 12px)';
const drift = '@keyframes drift { to { transform: translate(60px, 20px) } }';

export const backdrop = [
  page(
    'backdrop filters',
    `${drift}
    #root { background: ${photo} }
    .glass { position: absolute; left: calc(10px + var(--i) * 155px); top: 60px; width: 140px; height: 150px; border-radius: 24px; background: #fff3; border: 1px solid #fff8; backdrop-filter: blur(10px) saturate(1.6) }
    .glass:nth-child(3) { backdrop-filter: invert(1) } .glass:nth-child(4) { backdrop-filter: blur(3px) hue-rotate(120deg) }
    .dot { position: absolute; width: 90px; height: 90px; border-radius: 50%; background: #0cf; left: 40px; top: 100px; animation: drift .5s linear both }`,
    `<div class="dot"></div>${many(3, 'glass', 'Glass')}`,
  ),
];
