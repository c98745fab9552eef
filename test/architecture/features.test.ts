// What pages contain is known only to the folder of a feature and to the tables: the rest of the renderer knows interfaces.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { features } from '../../renderer-core/page/features/features.ts';
import { repository, repositoryFiles } from '../support/repositoryFiles.ts';

/** Words of the code of each feature. Names of the browser's own interfaces, such as `WebGLRenderingContext`, are not among them. */
const words: Readonly<Record<string, RegExp>> = {
  analyser: /analyserInPage|AnalyserNode/,
  animatedImages: /animatedImage|animatedStyle|movingImage|smil\b/i,
  anime: /\banime/i,
  backdrop: /backdrop/i,
  backgroundVideo: /backgroundVideo|footage/i,
  banding: /banding|inBands/i,
  canvas: /canvasFit|fitCanvas|canvasInCapture|canvasInPage/,
  captions: /captionsInPage|framework-word/,
  colorGrading: /grading/i,
  depth: /preserve-?3d|depthOrder|depthContext|sortsByDepth/i,
  dotLottie: /dotLottie/i,
  gsap: /gsap/i,
  hdrVideo: /hdrVideo|hdrFrames/i,
  images: /decodeImages|cssImages/,
  lottie: /lottie(?!')/i,
  pinnedFonts: /pinnedFonts|pinFonts/,
  proven: /provenFeatures|isProven/i,
  repeats: /repeatedFrames\.has|repeatsInPage/,
  skippedFrames: /isFunctionOfTime|pureTime/i,
  topLayer: /topLayer|viewTransition|showModal|popover/i,
  video: /videoShare|videoScreen|videoStream/,
  webgl: /webGl(?!2?RenderingContext)/i,
};

/** The renderer without its readers of what authors write, which know attributes, and without the fonts on disk. */
const renderer = /^renderer-core\/(?:capture|media|page|project|render|setup)\/.*\.ts$/;
const folder = 'renderer-core/page/features/';

const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');

const namesIn = (code: string): string[] =>
  Object.entries(words).flatMap(([name, word]) => (word.test(withoutComments(code)) ? [name] : []));

test('finds the name of a feature in code, and not in comments', () => {
  expect(namesIn('// As sortsByDepth was\nconst page = { sortsByDepth: true };')).toEqual(['depth']);
  expect(namesIn('// As sortsByDepth was\nconst page = {};')).toEqual([]);
  expect(namesIn('if (job.hasWebGl) use(WebGLRenderingContext)')).toEqual(['webgl']);
});

test('the table has a row and words for every folder of a feature', () => {
  const folders = readdirSync(repository + folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = features.map(({ name }) => name).sort();
  expect(folders.map(({ name }) => name).sort()).toEqual(names);
  expect(Object.keys(words).sort()).toEqual(names);
});

test('files with fidelity pages of features have their names', () => {
  const names: readonly string[] = features.map(({ name }) => name);
  const files = readdirSync(`${repository}test/fidelity/corpus/features`).map((file) => file.replace('.ts', ''));
  expect(files.filter((name) => !names.includes(name))).toEqual([]);
});

test('no code outside of the folder of a feature and the tables contains its name', () => {
  const outside = repositoryFiles().filter((path) => renderer.test(path) && !path.startsWith(folder));
  expect(outside.length).toBeGreaterThan(150);
  const found = outside.flatMap((path) =>
    namesIn(readFileSync(repository + path, 'utf8')).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('a feature imports no other one, except the videos and images that it changes or analyses', () => {
  const imports = repositoryFiles().flatMap((path) => {
    const [, own] = /^renderer-core\/page\/features\/(\w+)\//.exec(path) ?? [];
    if (own === undefined) return [];
    const code = readFileSync(repository + path, 'utf8');
    return [...code.matchAll(/from '\.\.\/(\w+)\//g)].flatMap(([, other]) => (other === own ? [] : `${own}: ${other}`));
  });
  expect([...new Set(imports)].sort()).toEqual([
    'analyser: video',
    'animatedImages: images',
    'backgroundVideo: video',
    'hdrVideo: video',
  ]);
});
