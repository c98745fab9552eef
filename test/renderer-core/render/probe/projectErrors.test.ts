// Renders of projects with errors: the code, the message and the place of each error, and an existing output stays unchanged.
// That a failed render leaves no files and processes is tested in robustness.test.ts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ErrorCode, UserError } from '../../../../renderer-core/errors.ts';
import type { RenderRequest } from '../../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { packaged } from '../../../support/renders/frames.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const renderVideo = warmRenderer();

type Files = Parameters<typeof project>[0];
type Failure = { code: ErrorCode; message: RegExp; place?: string; request?: Partial<RenderRequest> };

/** Renders `files` into a folder with an existing output. Checks the error, and that this output is unchanged. */
async function check(files: Files, { code, message, place, request }: Failure): Promise<void> {
  const folder = temporaryFolder();
  const output = join(folder, 'video.mp4');
  writeFileSync(output, 'an earlier video');
  const error = await renderVideo({ projectDir: project(files), output, ...request }).then(
    () => expect.fail('the render succeeded'),
    (reason: UserError) => reason,
  );
  const at = error.place && [error.place.file, error.place.line].filter((part) => part !== undefined).join(':');
  expect({ code: error.code, message: error.message, place: at }).toEqual({
    code,
    message: expect.stringMatching(message),
    place,
  });
  expect(error.hint).toMatch(/\.$/);
  expect(readdirSync(folder)).toEqual(['video.mp4']);
  expect(readFileSync(output, 'utf8')).toBe('an earlier video');
}

const host = (path: string) => `<div data-composition-src="${path}"></div>`;
/** The body of `composition` starts on line 4. */
const bodyLine = 4;

describe('reports an error in the project:', () => {
  test.each<[string, Files, Failure]>([
    ['a missing entry', { 'other.html': '' }, { code: 'composition_not_found', message: /index\.html/ }],
    [
      'a missing embedded file',
      composition(`\n${host('scenes/intro.html')}`),
      { code: 'composition_invalid', message: /scenes\/intro\.html/, place: `index.html:${bodyLine + 1}` },
    ],
    [
      'an unknown duration',
      composition('<p>x</p>', { duration: null }),
      { code: 'no_duration', message: /no duration/, place: 'index.html' },
    ],
    [
      'a tween that repeats without end',
      {
        'index.html': composition(
          `<b class="sun">x</b><script src="gsap.js"></script><script>__timelines = { main: gsap.timeline({ paused: true }).to('.sun', { x: 9 }).to('.sun', { rotation: 360, repeat: -1 }) }</script>`,
          { duration: null },
        ),
        'gsap.js': packaged('gsap/dist/gsap.min.js'),
      },
      {
        code: 'no_duration',
        message: /a tween of <b class="sun"> in the timeline "main" repeats without end$/,
        place: 'index.html',
      },
    ],
    [
      'a start relative to a missing clip',
      composition('\n<i data-start="intor"></i><i id="intro" data-start="0" data-duration="1"></i>'),
      { code: 'timing_invalid', message: /"intor".*"intro"/, place: `index.html:${bodyLine + 1}` },
    ],
    [
      'a clip that a script adds relative to a missing clip',
      composition(`<div id="x"></div><script>x.innerHTML = '<i data-start="gone"></i>'</script>`),
      { code: 'timing_invalid', message: /"gone"/, place: 'index.html' },
    ],
    [
      'a value of the wrong type with strictVariables',
      composition('', { variables: [{ id: 'n', type: 'number', label: 'N', default: 1 }] }),
      {
        code: 'variables_invalid',
        message: /"n" must be a number/,
        place: 'index.html:2',
        request: { variables: { n: 'x' }, strictVariables: true },
      },
    ],
  ])('%s', core, (_, files, failure) => check(files, failure));
});

describe('reports a missing file:', () => {
  const missing = (place?: string): Failure => ({
    code: 'asset_missing',
    message: /gone\.(png|js|css|woff2)/,
    ...(place ? { place } : {}),
  });
  test.each<[string, Files, Failure]>([
    [
      'a background',
      composition('<style>\n#root { background: url("gone.png") }</style>'),
      missing(`index.html:${bodyLine + 1}`),
    ],
    ['a script', composition('<script src="gone.js"></script>'), missing(`index.html:${bodyLine}`)],
    ['a style sheet', composition('', { head: '<link rel="stylesheet" href="gone.css">' }), missing('index.html:2')],
    [
      'an unused font',
      composition('<style>@font-face{font-family:F;src:url(gone.woff2)}</style>'),
      missing(`index.html:${bodyLine}`),
    ],
    [
      'an image of an embedded file',
      {
        'index.html': composition(host('in/a.html')),
        'in/a.html': '<div data-composition-id="a">\n<img src="gone.png"></div>',
      },
      missing('in/a.html:2'),
    ],
    [
      'an image that a script adds later',
      composition(
        '<script>setTimeout(() => { document.body.append(Object.assign(new Image(), { src: "gone.png" })) }, 500)</script>',
      ),
      missing(),
    ],
  ])('%s', core, (_, files, failure) => check(files, failure));
});

describe('reports an error in a script', () => {
  const failing = (message: RegExp, place: string): Failure => ({ code: 'script_error', message, place });
  const embed = (script: string) => ({
    'index.html': composition(host('in/a.html')),
    'in/a.html': `<div data-composition-id="a">\n<script>\n${script}\n</script></div>`,
  });
  test.each<[string, Files, Failure]>([
    [
      'while the page loads',
      composition('<script>\n\nthrow new Error("boom")</script>'),
      failing(/boom/, `index.html:${bodyLine + 2}`),
    ],
    [
      'in a separate file',
      { 'index.html': composition('<script src="in/a.js"></script>'), 'in/a.js': '// one\nundefinedFunction()' },
      failing(/undefinedFunction/, 'in/a.js:2'),
    ],
    ['in an embedded file', embed('\nnull.x'), failing(/null/, 'in/a.html:4')],
    ['in the syntax of an embedded file', embed('const = 1'), failing(/SyntaxError/, 'in/a.html:3')],
    [
      'during the render',
      composition('<script>setTimeout(() => {\nthrow new Error("late") }, 170)</script>'),
      failing(/late/, `index.html:${bodyLine + 1}`),
    ],
    [
      'of an embedded file during the render',
      embed(
        'requestAnimationFrame(function frame(t) {\nif (t > 170) throw new Error("late"); requestAnimationFrame(frame) })',
      ),
      failing(/late/, 'in/a.html:4'),
    ],
    [
      'in a promise',
      composition('<script>(async () => {\nawait null; throw new Error("async boom") })()</script>'),
      failing(/async boom/, `index.html:${bodyLine + 1}`),
    ],
    [
      'while a timeline is seeked',
      composition(
        '<script>window.__timelines.main = { pause() {}, duration: () => 1,\ntotalTime() { throw new Error("no time") } }</script>',
      ),
      failing(/no time/, `index.html:${bodyLine + 1}`),
    ],
  ])('%s', (_, files, failure) => check(files, failure));
});
