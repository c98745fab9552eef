// Environments for browsers with chosen system fonts, in place of those of the machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingGlyphFont } from '../../../renderer-core/plan/fonts/missingGlyphFont.ts';

/**
 * Writes a font configuration into `folder`, and returns the environment of a browser that uses it. Its fonts are `folders`,
 * and one that shows every character as a box of `boxSize`, as a part of its usual size. Browsers need at least one font.
 */
export function fontEnvironment(folder: string, boxSize: number, folders: readonly string[] = []): NodeJS.ProcessEnv {
  const own = join(folder, 'fonts');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'boxes.ttf'), boxFont(boxSize));
  const file = join(folder, 'fonts.conf');
  const entries = [own, ...folders].map((path) => `<dir>${path}</dir>`).join('');
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>${entries}<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`,
  );
  return { ...process.env, FONTCONFIG_FILE: file };
}

function boxFont(size: number): Buffer {
  const font = Buffer.from(missingGlyphFont, 'base64');
  // The entry of the `head` table contains its position, and the table has the units of the font size at 18.
  const unitsPerEm = font.readUInt32BE(font.indexOf('head') + 8) + 18;
  font.writeUInt16BE(Math.round(font.readUInt16BE(unitsPerEm) / size), unitsPerEm);
  return font;
}
