// The files of a finished render. They are stored before its row names them, so those of an attempt whose service was killed in
// between have no name in any row. The next attempt replaces them, unless the render ends without a video.
import type { ServiceContext } from '../context.ts';
import type { RenderRow } from './tables.ts';

type Rendered = Pick<RenderRow, 'id' | 'format'>;

export const videoKeyOf = ({ id, format }: Rendered): string => `videos/${id}.${format}`;
export const thumbnailKeyOf = ({ id }: Rendered): string => `thumbnails/${id}.jpg`;

/** Deletes what attempts of a render without a video have stored. */
export async function deleteUnnamedFiles(
  { objects, log }: Pick<ServiceContext, 'objects' | 'log'>,
  render: Rendered,
): Promise<void> {
  try {
    for (const key of [videoKeyOf(render), thumbnailKeyOf(render)]) await objects.delete(key);
  } catch (error) {
    log('warn', 'files of a render without a video remain', { render: render.id, error: String(error) });
  }
}
