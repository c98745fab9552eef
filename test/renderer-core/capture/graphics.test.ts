import { describe, expect, test } from 'vitest';
import {
  cardName,
  type GpuChoice,
  type Graphics,
  graphicsSwitches,
  graphicsToTry,
} from '../../../renderer-core/capture/graphics.ts';

describe('chooses what draws', () => {
  test.each<[gpu: GpuChoice, page: string, machine: string, Graphics[]]>([
    ['auto', 'plain', 'card', ['plain']],
    ['auto', 'WebGL', 'card', ['card', 'software']],
    ['auto', 'WebGL', 'no card', ['software']],
    ['off', 'WebGL', 'card', ['software']],
    ['off', 'plain', 'card', ['plain']],
    ['on', 'plain', 'card', ['card']],
    ['on', 'WebGL', 'no card', ['card']],
  ])('--gpu %s, a %s page, a machine with %s: %j', (gpu, page, machine, expected) => {
    expect(graphicsToTry(gpu, page === 'WebGL', machine === 'card')).toEqual(expected);
  });
});

describe('recognizes graphics cards by the name of the renderer', () => {
  test.each([
    ['ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)'],
    ['ANGLE (NVIDIA, Vulkan 1.3.242 (NVIDIA NVIDIA GeForce RTX 3060 (0x00002504)), NVIDIA)'],
  ])('%s is a card', (name) => expect(cardName(name)).toBe(name));

  test.each([
    ['ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)'],
    ['ANGLE (Mesa, llvmpipe (LLVM 15.0.7, 256 bits), OpenGL ES 3.2)'],
    ['ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0, D3D11)'],
  ])('%s is software', (name) => expect(cardName(name)).toBeNull());
});

test.each<[Graphics, NodeJS.Platform, string]>([
  ['plain', 'linux', '--disable-gpu'],
  [
    'software',
    'darwin',
    '--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --disable-gpu-compositing',
  ],
  ['card', 'darwin', '--enable-gpu --ignore-gpu-blocklist --use-gl=angle --use-angle=metal'],
  ['card', 'win32', '--enable-gpu --ignore-gpu-blocklist --use-gl=angle --use-angle=d3d11'],
  [
    'card',
    'linux',
    '--enable-gpu --ignore-gpu-blocklist --use-gl=angle --use-angle=vulkan --enable-features=Vulkan --disable-vulkan-surface',
  ],
])('starts the browser for %s on %s with the right switches', (graphics, platform, expected) => {
  expect(graphicsSwitches(graphics, platform).join(' ')).toBe(expected);
});
