// Footage that fills the frame, below everything else.
import { page } from '../../page.ts';
import { files, videoTag } from '../../pattern.ts';

export const backgroundVideo = [
  page('footage that fills the frame', 'video { width: 480px; height: 270px; display: block }', videoTag(), { files }),
  page(
    'footage under a caption',
    'video { width: 480px; height: 270px; display: block } p { position: absolute; inset: auto 0 16px; text-align: center; color: #fff; font: 800 28px sans-serif; text-shadow: 0 2px 6px #000; animation: up .4s both } @keyframes up { from { transform: translateY(40px); opacity: 0 } }',
    `${videoTag()}<p>A caption over footage</p>`,
    { files },
  ),
];
