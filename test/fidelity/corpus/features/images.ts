// Images: fitted, rotated, enlarged, shrunk, and added by a script.
import { PNG } from 'pngjs';
import { page } from '../../page.ts';

/** An image that shows scaling, rotation and cropping: a fine grid over a gradient. */
function chart(width: number, height: number): Uint8Array {
  const image = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const line = x % 16 === 0 || y % 16 === 0 ? 60 : 0;
      image.data.set([(255 * x) / width, (255 * y) / height, 160 - line, 255], (y * width + x) * 4);
    }
  }
  return PNG.sync.write(image);
}

const files = { 'chart.png': chart(320, 240) };
export const images = [
  page(
    'images with object-fit',
    '#root { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px } img { width: 100%; height: 125px; background: #222 } img:nth-child(1) { object-fit: cover } img:nth-child(2) { object-fit: contain } img:nth-child(3) { object-fit: none; object-position: 20% 80% } img:nth-child(4) { object-fit: fill; border-radius: 50% } img:nth-child(5) { image-rendering: pixelated; object-fit: cover; object-view-box: inset(40%) } img:nth-child(6) { object-fit: cover; filter: grayscale(1) }',
    '<img src="chart.png">'.repeat(6),
    { files },
  ),
  page(
    'images rotated and enlarged',
    '@keyframes kenburns { from { transform: scale(1) } to { transform: scale(1.4) translate(-20px, -10px) rotate(3deg) } } img { width: 480px; height: 270px; object-fit: cover; animation: kenburns .5s linear both }',
    '<img src="chart.png">',
    { files },
  ),
  page(
    'images shrunk',
    'img { margin: 6px } img:nth-child(1) { width: 200px } img:nth-child(2) { width: 77px; transform: rotate(5deg) } img:nth-child(3) { width: 31px } div { width: 120px; height: 90px; background: url(chart.png) 0 0 / cover; display: inline-block }',
    '<img src="chart.png"><img src="chart.png"><img src="chart.png"><div></div>',
    { files },
  ),
  page(
    'images added by a script',
    '',
    '<div id="box"></div><script>const image = new Image(); image.src = "chart.png"; image.width = 300; document.getElementById("box").append(image); fetch("chart.png").then((r) => r.blob()).then(createImageBitmap).then((bitmap) => { const c = document.createElement("canvas"); c.width = 160; c.height = 120; c.getContext("2d").drawImage(bitmap, 0, 0, 160, 120); document.getElementById("box").append(c) })</script>',
    { files },
  ),
];
