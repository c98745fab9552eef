// Text has the same pixels on every machine: each page is captured by two browsers with different system fonts. One has only
// large boxes for all characters, the other one small boxes and the fonts of the machine. FONT_SHEET=1 also writes the frames
// to .cache/fonts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snapshotIn } from '../../renderer-core/render/snapshot/takeSnapshot.ts';
import { project } from '../support/project.ts';
import { fontEnvironment } from '../support/renders/fontEnvironment.ts';
import { inSession, openSession, type SharedSession } from '../support/renders/warmRender.ts';
import { fontPages } from './corpus/fontPages.ts';

const environments = ['few', 'many'] as const;
type Environment = (typeof environments)[number];

let sessions: Record<Environment, SharedSession>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'framework-fonts-'));
  const few = await openSession(tmpdir(), fontEnvironment(join(folder, 'few'), 1));
  const many = await openSession(tmpdir(), fontEnvironment(join(folder, 'many'), 0.5, ['/usr/share/fonts']));
  sessions = { few, many };
});
afterAll(async () => {
  await Promise.all(environments.map((fonts) => sessions[fonts].close()));
  rmSync(folder, { recursive: true, force: true });
});

/** The PNG of the first frame of a project. */
async function firstFrame(projectDir: string, fonts: Environment): Promise<Buffer> {
  const output = join(projectDir, `${fonts}.png`);
  await inSession(sessions[fonts], projectDir, (place) => snapshotIn(place, { projectDir, output, at: ['0f'] }));
  return readFileSync(output);
}

/** A screenshot of plain text that names no pinned font. */
async function systemText(fonts: Environment): Promise<Buffer> {
  const { launched, release } = await sessions[fonts].browsers.lease({ graphics3d: false, displayRate: false });
  const page = await launched.browser.newPage();
  await page.setContent('<p style="font-family:sans-serif">Text 中文</p>');
  const image = Buffer.from(await page.screenshot());
  await page.close();
  await release();
  return image;
}

test('the browsers have different system fonts', async () => {
  expect(areEqual(await inEach(systemText))).toBe(false);
});

describe('does not depend on system fonts:', () => {
  test.each(fontPages)('$name', async ({ name, files }) => {
    const root = project(files);
    const images = await inEach((fonts) => firstFrame(root, fonts));
    if (process.env.FONT_SHEET === '1') keep(name, images);
    expect(areEqual(images)).toBe(true);
  });
});

describe('a script that does not wait for fonts measures text in its final font:', () => {
  test.each([
    ['width', 'p.offsetWidth'],
    ['rectangle', 'p.getBoundingClientRect().width'],
    ['overflow', 'p.parentElement.scrollWidth'],
    ['width of SVG text', 't.getBBox().width'],
    ['styles', 'parseFloat(getComputedStyle(p).width)'],
  ])('%s', async (_, measured) => {
    const measure = `bar.style.width = ${measured} + 'px'`;
    const frames = await Promise.all([
      firstFrame(project({ 'index.html': measuringPage(measure) }), 'few'),
      firstFrame(project({ 'index.html': measuringPage(`document.fonts.ready.then(() => { ${measure} })`) }), 'few'),
    ]);
    expect(frames[0].equals(frames[1])).toBe(true);
  });
});

/** A page with text, and a bar whose width `script` sets. */
const measuringPage = (script: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><style>body { margin: 0; font: 30px sans-serif } p { margin: 0; position: absolute }</style></head><body>
<div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="1">
<div style="width: 9px; overflow: hidden; height: 40px; position: relative"><p id="p" style="white-space: nowrap">Illegible wills</p></div>
<svg height="40"><text id="t" y="30">Illegible wills</text></svg>
<div id="bar" style="height: 40px; background: #06c"></div>
<script>${script}</script></div></body></html>`;

type Images = Record<Environment, Buffer>;

async function inEach(take: (fonts: Environment) => Promise<Buffer>): Promise<Images> {
  const [few, many] = await Promise.all([take('few'), take('many')]);
  return { few, many };
}

const areEqual = ({ few, many }: Images): boolean => few.equals(many);

function keep(name: string, images: Images): void {
  const target = fileURLToPath(new URL('../../.cache/fonts/', import.meta.url));
  mkdirSync(target, { recursive: true });
  for (const fonts of environments)
    writeFileSync(join(target, `${name.replaceAll(/\W+/g, '-')}-${fonts}.png`), images[fonts]);
}
