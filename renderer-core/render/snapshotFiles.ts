// What the files of snapshots are called, and what kind of picture is in them.
import { UserError } from '../errors.ts';
import type { PictureType } from './pictureFiles.ts';

const types: Readonly<Record<string, PictureType>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' };

/** By the extension; PNG without a name. Throws UserError `usage`. */
export function pictureTypeOf(output = '.png'): PictureType {
  const extension = /\.([^./\\]+)$/.exec(output)?.[1]?.toLowerCase();
  const type = extension === undefined ? undefined : types[extension];
  if (type !== undefined) return type;
  throw new UserError('usage', `${output} is no name of a picture`, {
    hint: 'End it in .png, .jpg or .webp.',
  });
}

/** `shots/intro.png` for frame 12 of several: `shots/intro-000012.png`. */
export function framesPath(output: string, frame: number): string {
  return output.replace(/\.[^./\\]+$/, (extension) => `-${String(frame).padStart(6, '0')}${extension}`);
}
