// Declares in a PNG file that its colors are BT.2020 with the curve PQ, and how bright they are. Browsers then show it in HDR.
import { crc32 } from 'node:zlib';
import type { LightLevels } from '../../plan/brightness.ts';

/** Code points of Rec. ITU-T H.273: primaries BT.2020, curve PQ, RGB, full range. */
const bt2020Pq = [9, 16, 0, 1];

/** The signature, and the first chunk, which is the header: length, type, 13 bytes and checksum. */
const headerEnd = 8 + 4 + 4 + 13 + 4;

/** Without `light`, screens that cannot show HDR would make white darker: they assume that something is as bright as 1,000 nits. */
export function asHdr(png: Buffer, light: LightLevels): Buffer {
  const colors = chunk('cICP', Buffer.from(bt2020Pq));
  const levels = chunk('cLLI', Buffer.concat([light.maxCll, light.maxFall].map((nits) => uint32(nits * 10_000))));
  // They must come before the pixels.
  return Buffer.concat([png.subarray(0, headerEnd), colors, levels, png.subarray(headerEnd)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), content, uint32(crc32(content))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.round(value));
  return bytes;
}
