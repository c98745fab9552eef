// The thumbnails in tooltips as data: what they show, the command that draws them, and the names of their files.
import { Uri } from 'vscode';

/**
 * The poster frame of a composition, or of a finished video with the absolute path `file`. `poster`: the time of the poster frame
 * in the video in seconds, if it is known.
 */
export type Thumbnail =
  | { kind: 'composition'; uri: string; projectUri: string; path: string }
  | { kind: 'video'; file: string; poster?: number };

/** The file that a thumbnail shows. */
export const shownFile = (thumbnail: Thumbnail): Uri =>
  thumbnail.kind === 'video' ? Uri.file(thumbnail.file) : Uri.parse(thumbnail.uri);

/** In pixels. Larger than it is shown, for screens with a high resolution. */
const maxSide = 640;
/** A tooltip has room for this and for its text. */
const shownHeight = 200;

/** The command that draws a thumbnail, without `--json`. `programs`: the options with paths of programs that it has. */
export type ThumbnailCommand = { args: string[]; cwd: string; programs: ('browser' | 'ffmpeg')[] };

/** Draws the thumbnail into `file`. */
export function thumbnailCommand(thumbnail: Thumbnail, file: string): ThumbnailCommand {
  const image = [`--max-side=${maxSide}`, `--output=${file}`];
  if (thumbnail.kind === 'video') {
    const { file: video, poster = 'poster' } = thumbnail;
    const cwd = Uri.joinPath(Uri.file(video), '..').fsPath;
    return { args: ['thumbnail', video, `--at=${poster}`, ...image], cwd, programs: ['ffmpeg'] };
  }
  const cwd = Uri.parse(thumbnail.projectUri).fsPath;
  const args = ['snapshot', cwd, `--composition=${thumbnail.path}`, '--at=poster', ...image, '--progress=ndjson'];
  return { args, cwd, programs: ['browser', 'ffmpeg'] };
}

/** A tooltip as Markdown, with the thumbnail above its text. */
export function withThumbnail(file: string | undefined, tooltip: string): string {
  return file === undefined ? tooltip : `![](${file}|height=${shownHeight})\n\n${tooltip}`;
}
