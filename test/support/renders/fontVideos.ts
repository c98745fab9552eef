// The pages of text as videos of one project, which can be rendered in several places.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type launch, renderWith } from '../../../renderer-core/render/pipeline.ts';
import { type FontPage, fontPages } from '../../fidelity/corpus/fontPages.ts';
import { writeFiles } from '../project.ts';
import { referenceFfmpeg } from './ffmpeg.ts';
import { surroundings } from './surroundings.ts';
import { inSession, openSession } from './warmRender.ts';

/** `pages`: the names of the pages that it shows, one in each frame. `file`: a name for its output. */
export type FontVideo = { name: string; composition: string; pages: string[]; file: string };

const placed = fontPages.map((page, index) => ({ ...page, folder: `pages/${index}` }));

/** Rules and scripts for the whole document would change other pages. */
const isAlone = ({ files }: FontPage): boolean =>
  Object.values(files).some((content) => typeof content === 'string' && /<script|@font-face/.test(content));

const sequence = placed.filter((page) => !isAlone(page));

/** Most pages follow each other in one video; the others have their own. */
export const fontVideos: readonly FontVideo[] = [
  {
    name: `${sequence.length} pages`,
    composition: 'index.html',
    pages: sequence.map(({ name }) => name),
    file: 'sequence.mp4',
  },
  ...placed.filter(isAlone).map(({ name, folder }) => ({
    ...{ name, pages: [name] },
    composition: `${folder}/index.html`,
    file: `${folder.replace('/', '-')}.mp4`,
  })),
];

/** Writes the project of the videos into `root`. */
export function writeFontProject(root: string): void {
  const hosts = sequence.map(
    ({ folder }, index) =>
      `<div data-composition-src="${folder}/index.html" data-start="${index}" data-duration="1" style="position:absolute;inset:0"></div>`,
  );
  const page = `<!doctype html>
<html><head><meta charset="utf-8"><style>html,body{margin:0;background:#fff}</style></head><body>
<div data-composition-id="sequence" data-width="480" data-height="270" data-duration="${hosts.length}" data-fps="1" style="position:relative;width:480px;height:270px">
${hosts.join('\n')}
</div></body></html>`;
  writeFiles(root, { 'index.html': page });
  for (const { folder, files } of placed) writeFiles(join(root, folder), files);
}

/** Renders the videos on this machine into `folder`. `env`: of the browser, and to find programs. */
export async function renderFontVideos(root: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const shared = await openSession(root, env);
  const launchShared: typeof launch = (options, use) => inSession(shared, options.root, use);
  try {
    for (const { composition, file } of fontVideos)
      await renderWith(launchShared, { projectDir: root, composition, output: join(folder, file) }, surroundings);
  } finally {
    await shared.close();
  }
}

/** The pages whose frames differ in two videos. The first one is the cause: later frames are encoded from it. */
export function differingPages({ pages }: FontVideo, one: string, other: string): string[] {
  const [first, second] = [frameHashes(one), frameHashes(other)];
  expect([first.length, second.length]).toEqual([pages.length, pages.length]);
  return pages.filter((_, frame) => first[frame] !== second[frame]);
}

function frameHashes(video: string): string[] {
  const args = ['-v', 'error', '-i', video, '-map', '0:v', '-vsync', '0', '-f', 'framemd5', '-'];
  const text = execFileSync(referenceFfmpeg, args, { encoding: 'utf8' });
  return [...text.matchAll(/^0,.*\b([0-9a-f]{32})$/gm)].map(([, hash = '']) => hash);
}
