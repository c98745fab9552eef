// `framework variables`: the output for people and programs.
import { describe, expect, test } from 'vitest';
import { composition, project } from '../support/project.ts';
import { cli } from './cli.ts';

const variables = [
  { id: 'title', type: 'string', label: 'Title', default: 'Hello', maxLength: 20 },
  { id: 'size', type: 'number', label: 'Size', default: 12, min: 1, max: 99, step: 0.5, unit: 'px' },
  { id: 'open', type: 'boolean', label: 'Open', default: false },
  {
    id: 'look',
    type: 'enum',
    label: 'Look',
    default: 'a',
    options: [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
  },
  { id: 'shape', type: 'object', label: 'Shape' },
];
const files = () => ({
  'index.html': composition(
    `<div data-composition-src="parts/card.html" data-variable-values='{"name":"Ada"}'></div><div data-composition-src="gone.html"></div>`,
    { variables },
  ),
  'parts/card.html': composition('', { duration: null, attributes: 'data-fps="25"' }),
  'notes.html': '<p>No composition</p>',
});

test('prints a table for each composition', async () => {
  const { status, stdout } = await cli(['variables', project(files())]);
  expect(status).toBe(0);
  expect(stdout).toBe(`index.html  64x48, 1 s
  title  string   "Hello"  Title  at most 20 characters
  size   number   12       Size   1 to 99 by 0.5 px
  open   boolean  false    Open
  look   enum     "a"      Look   a | b
  warning: 2:${stdout.match(/2:(\d+)/)?.[1]} Unknown variable type "object"; use one of string, number, color, boolean, enum
  embeds parts/card.html, line 4
  embeds gone.html (missing), line 4

parts/card.html  64x48, 25 fps
  no variables
`);
});

describe('--json', () => {
  test('contains every composition and the compositions it embeds', async () => {
    const root = project(files());
    const { stdout } = await cli(['variables', root, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      root,
      compositions: [
        {
          file: 'index.html',
          project: '.',
          variables: variables.slice(0, 4),
          rejected: [{ line: 2 }],
          embeds: [
            { file: 'parts/card.html', source: 'parts/card.html', line: 4, values: { name: 'Ada' } },
            { file: null, source: 'gone.html' },
          ],
        },
        { file: 'parts/card.html', duration: null, fps: 25, variables: [], embeddedBy: ['index.html'] },
      ],
    });
  });

  test('contains only the named file', async () => {
    const { stdout } = await cli(['variables', `${project(files())}/parts/card.html`, '--json']);
    expect(JSON.parse(stdout).compositions.map(({ file }: { file: string }) => file)).toEqual(['parts/card.html']);
  });

  test('reports a folder without compositions', async () => {
    const { status, stdout } = await cli(['variables', project('<p>x</p>'), '--json']);
    expect({ status, error: JSON.parse(stdout).error }).toMatchObject({
      status: 1,
      error: { code: 'composition_not_found' },
    });
  });
});
