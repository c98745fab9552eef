// Values that reach embedded files: from a row of a batch through three levels, and from a script that sets them on a host.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderEvent } from '../../../../renderer-core/render/renderReport.ts';
import { renderBatch } from '../../../../sdk/renders.ts';
import { project, temporaryFolder } from '../../../support/project.ts';
import { box, cases, green, integer, mount, page, red, renderFrames } from '../../../support/renders/frames.ts';
import { hex, readFrames } from '../../../support/renders/video.ts';
import { core } from '../../../support/suites.ts';

const embedded = (declarations: object[], body: string) =>
  `<div data-composition-id="e" data-composition-variables='${JSON.stringify(declarations)}'>${body}</div>`;
const color = (id: string) => ({ id, type: 'color', label: id, default: red });
const shown = `${box(0, 'var(--fill)')}<p data-var-text="n"></p><script>
const { fill, n } = __framework.getVariables(), text = document.querySelector('p').textContent;
cell(1, fill); number(2, typeof n === 'number' ? n : 0); number(3, text.length);</script>`;

const files = {
  'index.html': page(mount('scene.html', { tint: '$tint', n: '$n' }), { variables: [color('tint'), integer('n', 7)] }),
  'scene.html': embedded([color('tint'), integer('n', 1)], mount('card.html', { fill: '$tint', n: '$n' })),
  'card.html': embedded([color('fill'), integer('n', 0)], shown),
};

test('a row of a batch reaches a file that is embedded in an embedded file', async () => {
  const output = join(temporaryFolder(), '{index}');
  const request = { projectDir: project(files), output, format: 'png', fps: '10', capture: 'paint' as const };
  const batch = renderBatch({ ...request, rows: [{ tint: green, n: 1234 }], strictVariables: true });
  for await (const { status } of batch) expect(status).toBe('completed');
  const [frame] = readFrames(output.replace('{index}', '0'));
  const found = [0, 1, 2, 3].map((cell) => hex(frame, 8 * cell + 4, 4));
  expect(found).toEqual([green, green, '#0004d2', '#000004']);
  expect(readFileSync(join(output, '..', 'manifest.json'), 'utf8')).toContain('"completed"');
});

/** A script of the page that sets the values of the host with the id `host`. */
const set = (values: string) =>
  `<script>document.querySelector('#host').setAttribute('data-variable-values', ${values})</script>`;
const withHost = (script: string, given: object = { tint: green, n: 1 }) => ({
  ...files,
  'index.html': page(`${mount('scene.html', given, 'id="host"')}${script}`, { variables: [integer('n', 7)] }),
});

describe('values that a script sets on a host', () => {
  cases([
    [
      'are used at every level, in scripts and bindings',
      withHost(set(`JSON.stringify({ tint: '${green}', n: '$n' })`)),
      { 0: [green, green, 123, 3] },
      { variables: { n: 123 } },
    ],
    [
      'are used without scripts in the embedded file',
      {
        'index.html': page(`${mount('card.html', {}, 'id="host"')}${set(`'{"fill":"${green}"}'`)}`),
        'card.html': embedded([color('fill')], box(0, 'var(--fill)')),
      },
      { 0: [green] },
    ],
    [
      'may be set by a script of an embedded file, but not after the scripts of the mount',
      {
        ...withHost(''),
        'scene.html': embedded(
          [color('tint'), integer('n', 1)],
          `<div id="inner" data-composition-src="card.html"></div><script>
          const set = (fill) => document.querySelector('#inner').setAttribute('data-variable-values', JSON.stringify({ fill }));
          set('$tint'); requestAnimationFrame(() => set('#0000ff'));</script>`,
        ),
      },
      { 0: [green, green] },
    ],
  ]);

  test('are checked', core, async () => {
    const events: RenderEvent[] = [];
    const wrong = withHost(set(`'{"tint":"green","m":1,"n":"$m"}'`));
    const messages = [
      'Variable "m" of the embedding composition has no value, so "n" is not passed on',
      'Variable "tint" must be a color as #rrggbb (got "green")',
      'Variable "m" is not declared by scene.html; declared variables: "tint", "n"',
    ];
    await renderFrames(wrong, { onEvent: (event) => events.push(event) });
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    expect(warnings.slice(0, 3)).toEqual(messages.map((message) => `index.html:15:10: ${message}`));
    await expect(renderFrames(wrong, { strictVariables: true })).rejects.toMatchObject({
      code: 'variables_invalid',
      place: { file: 'index.html', line: 15, column: 10 },
    });
  });

  test('are only a warning if they refer to a variable without a value, also with strict checking', async () => {
    const unresolved = withHost(set(`'{"n":"$m"}'`));
    const events: RenderEvent[] = [];
    await renderFrames(unresolved, { strictVariables: true, onEvent: (event) => events.push(event) });
    const message = 'index.html:15:10: Variable "m" of the embedding composition has no value, so "n" is not passed on';
    expect(events).toContainEqual({ type: 'warning', message });
  });

  test.each([
    ['with scripts', withHost(set(`'{oops'`))],
    [
      'without scripts',
      {
        'index.html': page(`${mount('card.html', {}, 'id="host"')}${set(`'[]'`)}`),
        'card.html': embedded([color('fill')], box(0, 'var(--fill)')),
      },
    ],
  ])('end the render if they are not a JSON object, in a file %s', async (_, wrong) => {
    await expect(renderFrames(wrong)).rejects.toMatchObject({
      code: 'composition_invalid',
      message: expect.stringContaining('data-variable-values, as a script has set it, must be a JSON object'),
      place: { file: 'index.html', line: 15, column: 10 },
    });
  });
});
