// Footage: fitted, rotated, clipped, filtered, and in other formats.
import { page } from '../../page.ts';
import { files, pattern, videoTag } from '../../pattern.ts';

export const video = [
  page(
    'footage with object-fit',
    '#root { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px } video { width: 100%; height: 125px; background: #222 } video:nth-child(1) { object-fit: cover } video:nth-child(2) { object-fit: contain } video:nth-child(3) { object-fit: none; object-position: 0 100% } video:nth-child(4) { object-fit: fill } video:nth-child(5) { border-radius: 30px; object-fit: cover } video:nth-child(6) { opacity: .5 }',
    videoTag().repeat(6),
    { files },
  ),
  page('footage shrunk', 'video { width: 213px; margin: 20px; border-radius: 12px }', videoTag(), { files }),
  page('footage enlarged', 'video { width: 900px; position: absolute; left: -200px; top: -100px }', videoTag(), {
    files,
  }),
  page(
    'footage with clip paths and masks',
    'video { position: absolute; width: 200px } .a { clip-path: circle(40%); left: 10px; top: 10px } .b { mask: linear-gradient(90deg, #000, transparent); left: 240px; top: 10px } .c { clip-path: polygon(50% 0, 100% 100%, 0 100%); left: 120px; top: 130px }',
    `${videoTag('class="a"')}${videoTag('class="b"')}${videoTag('class="c"')}`,
    { files },
  ),
  page(
    'footage with filters',
    'video { position: absolute; width: 220px } .a { filter: blur(5px) saturate(2); left: 10px; top: 6px } .b { filter: grayscale(1) contrast(1.4); left: 250px; top: 6px } .c { mix-blend-mode: multiply; left: 130px; top: 130px }',
    `${videoTag('class="a"')}${videoTag('class="b"')}${videoTag('class="c"')}`,
    { files },
  ),
  page(
    'footage with an animated transform',
    '@keyframes pan { from { transform: scale(1) } to { transform: scale(1.3) rotate(8deg) translate(20px, 10px) } } video { width: 480px; animation: pan .5s linear both }',
    videoTag(),
    { files, threshold: 38 },
  ),
  page(
    'footage in WebM',
    'video { width: 480px; height: 270px }',
    '<video src="clip.webm" data-start="0" muted></video>',
    {
      files: { 'clip.webm': pattern('clip.webm', '-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', '20', '-cpu-used', '8') },
    },
  ),
  page(
    'footage in a format that the browser cannot decode',
    'video { width: 480px; height: 270px }',
    '<video src="clip.mov" data-start="0" muted></video>',
    { files: { 'clip.mov': pattern('clip.mov', '-c:v', 'prores', '-profile:v', '2', '-pix_fmt', 'yuv422p10le') } },
  ),
  page(
    'footage with a 3D transform',
    '#root { perspective: 600px; background: #123 } video { width: 300px; margin: 50px 90px; transform: rotateY(35deg); border: 8px solid #fff; box-shadow: 0 20px 40px #000a }',
    videoTag(),
    { files, threshold: 36 },
  ),
];
