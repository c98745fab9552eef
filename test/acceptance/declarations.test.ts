// The fields of a variable declaration, as the linter, the parser and the checks of values see them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { composition } from '../support/project.ts';
import { accept, type Command } from './acceptance.ts';
import { type Finding, lints } from './lintSteps.ts';
import { image } from './pictures.ts';

type Declaration = Record<string, unknown>;

/** A composition with these declarations, whose script may read any variable. */
const declaring = (...variables: Declaration[]): string =>
  composition('<script>window.read = (id) => __framework.getVariables()[id];</script>', { variables });

const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const types = {
  string: { id: 'v', type: 'string', label: 'V', default: 'a' },
  number: { id: 'v', type: 'number', label: 'V', default: 4 },
  color: { id: 'v', type: 'color', label: 'V', default: '#ff0000' },
  boolean: { id: 'v', type: 'boolean', label: 'V', default: true },
  enum: { id: 'v', type: 'enum', label: 'V', default: 'b', options },
};
const { string } = types;

const without = (declaration: Declaration, field: string): string =>
  declaring(Object.fromEntries(Object.entries(declaration).filter(([name]) => name !== field)));

/** The parser keeps exactly these fields of the declaration in `index.html`. */
const parsesTo = (declaration: Declaration): Command => ({
  run: 'variables index.html --json',
  json: {
    compositions: [{ variables: expect.toSatisfy((found) => isDeepStrictEqual(found, [declaration])), rejected: [] }],
  },
});

const strictly = (values: unknown, ...messages: string[]): Command => ({
  run: `render --strict-variables --variables '${JSON.stringify(values)}'`,
  exit: 1,
  prints: messages,
});

const ignored = (message: string): ['warning', string, string] => ['warning', 'ignored-field', message];

accept([
  {
    sentence: 'The root element declares named, typed variables in the attribute data-composition-variables',
    files: { 'index.html': declaring(string, { ...types.number, id: 'n' }) },
    steps: [
      lints(),
      {
        run: 'variables --json',
        json: {
          compositions: [{ id: 'main', variables: [string, { id: 'n', type: 'number', label: 'V', default: 4 }] }],
        },
      },
    ],
  },
  {
    sentence: 'The id of a variable is a string, required and unique within the composition',
    files: {
      'missing.html': without(string, 'id'),
      'number.html': declaring({ ...string, id: 7 }),
      'twice.html': declaring(string, string),
      'other.html': declaring(string, { ...string, id: 'w' }),
    },
    steps: [
      lints({
        'missing.html': [['error', 'missing-id', 'The declaration has no "id"']],
        'number.html': [['error', 'invalid-id', '"id" must be a string (got a number)']],
        'twice.html': [['error', 'duplicate-variable', '"v" is already declared']],
      }),
    ],
  },
  {
    sentence: 'The type of a variable is required, one of string, number, color, boolean, enum',
    files: {
      'missing.html': without(string, 'type'),
      'object.html': declaring({ ...string, type: 'object' }),
      ...Object.fromEntries(Object.entries(types).map(([name, type]) => [`${name}.html`, declaring(type)])),
    },
    steps: [
      lints({
        'missing.html': [['error', 'missing-type', 'Variable "v" has no "type"']],
        'object.html': [['error', 'unknown-type', 'use one of string, number, color, boolean, enum']],
      }),
    ],
  },
  {
    sentence: 'A declaration with any other type is dropped by the parser',
    files: { 'index.html': declaring({ ...string, type: 'object', default: {} }, { ...string, id: 'w' }) },
    steps: [
      {
        run: 'variables --json',
        json: {
          compositions: [
            {
              variables: [{ id: 'w' }],
              rejected: [
                { line: 2, message: 'Unknown variable type "object"; use one of string, number, color, boolean, enum' },
              ],
            },
          ],
        },
      },
    ],
  },
  {
    sentence: 'If every declaration is dropped, strict checking reports every given key as undeclared',
    files: { 'index.html': declaring({ ...string, type: 'object' }) },
    steps: [strictly({ w: 1, x: 2 }, 'Variable "w" is not declared', 'Variable "x" is not declared')],
  },
  {
    sentence: 'If no declaration exists, strict checking reports every given key as undeclared',
    files: { 'index.html': composition('') },
    steps: [strictly({ v: 1, w: 2 }, 'Variable "v" is not declared', 'Variable "w" is not declared')],
  },
  {
    sentence: 'A label is required for the linter',
    files: { 'missing.html': without(string, 'label'), 'number.html': declaring({ ...string, label: 7 }) },
    steps: [
      lints({
        'missing.html': [['error', 'missing-label', 'Variable "v" has no "label"']],
        'number.html': [ignored('"label" must be a string (got a number)')],
      }),
    ],
  },
  {
    sentence: 'The label is used by the editing UI to label the input widget',
    notRun: 'The widgets are in the editor and in the page of the preview, which have their own tests.',
  },
  {
    sentence: 'A default is required for the linter',
    files: { 'missing.html': without(string, 'default') },
    steps: [lints({ 'missing.html': [['error', 'missing-default', 'Variable "v" has no "default"']] })],
  },
  {
    sentence: 'A declaration without a label or default is still used by validation and the runtime',
    files: {
      'index.html': composition('<p style="margin:0;height:48px;background:var(--v)"></p>', {
        variables: [
          { id: 'v', type: 'color', default: '#00ff00' },
          { id: 'n', type: 'number' },
        ],
      }),
    },
    steps: [
      strictly({ n: 'x', v: 1 }, 'Variable "n" must be a number (got "x")', 'Variable "v" must be a color as #rrggbb'),
      { run: 'snapshot -o green.png' },
      image('green.png', '64x48', { '32,24': '#00ff00' }),
    ],
  },
  {
    sentence: 'A declaration whose default has another type is not used',
    files: { 'index.html': declaring({ ...types.number, default: 'x' }) },
    steps: [
      { run: 'variables --json', json: { compositions: [{ variables: [], rejected: [{ line: 2 }] }] } },
      strictly({ v: 1 }, 'Invalid declaration: The default of "v" must be a number (got "x")'),
    ],
  },
]);

// "Type-specific fields and default shapes": right and wrong defaults of each type.
const defaults: [type: keyof typeof types, shape: string, right: unknown[], wrong: unknown[], message: string][] = [
  ['string', 'text', ['', 'text'], [1, true, null, ['a']], 'must be a string'],
  ['number', 'a number', [0, -1.5], ['1', true, null], 'must be a number'],
  [
    'color',
    'a string in the form #rrggbb',
    ['#00ff7f', '#ABCDEF'],
    ['#fff', 'red', '#ff0000ff', 1],
    'must be a color as #rrggbb',
  ],
  ['boolean', 'true or false', [true, false], ['true', 0, null], 'must be true or false'],
  ['enum', 'one of the option values', ['a', 'b'], [1, true], 'must be a string, the value of one of its options'],
];

accept(
  defaults.map(([type, shape, right, wrong, message]) => ({
    sentence: `The default of a variable of type ${type} is ${shape}`,
    files: {
      ...Object.fromEntries(
        right.map((value, index) => [`right${index}.html`, declaring({ ...types[type], default: value })]),
      ),
      ...Object.fromEntries(
        wrong.map((value, index) => [`wrong${index}.html`, declaring({ ...types[type], default: value })]),
      ),
    },
    steps: [
      lints(
        Object.fromEntries(
          wrong.map((_, index): [string, Finding[]] => [
            `wrong${index}.html`,
            [['error', 'default-type', `The default of "v" ${message}`]],
          ]),
        ),
      ),
    ],
  })),
);

const extras: [type: keyof typeof types, field: string, kind: string, right: unknown, wrong: unknown][] = [
  ['string', 'placeholder', 'string', 'Your name', 1],
  ['string', 'maxLength', 'number', 9, '9'],
  ['number', 'min', 'number', 0, '0'],
  ['number', 'max', 'number', 9, '9'],
  ['number', 'step', 'number', 0.5, '0.5'],
  ['number', 'unit', 'string', 'px', 1],
];

accept(
  extras.map(([type, field, kind, right, wrong]) => ({
    sentence: `A variable of type ${type} can have the optional field ${field} (${kind})`,
    files: {
      'index.html': declaring({ ...types[type], [field]: right }),
      'wrong.html': declaring({ ...types[type], [field]: wrong }),
      'color.html': declaring({ ...types.color, [field]: right }),
    },
    steps: [
      parsesTo({ ...types[type], [field]: right }),
      lints({
        'wrong.html': [ignored(`"${field}" must be a ${kind}`)],
        'color.html': [ignored(`"${field}" applies only to ${type} variables, not to type "color"`)],
      }),
    ],
  })),
);

accept([
  ...(['color', 'boolean'] as const).map((type) => ({
    sentence: `A variable of type ${type} has no extra optional fields`,
    files: {
      'index.html': declaring({
        ...types[type],
        placeholder: 'p',
        maxLength: 9,
        min: 1,
        max: 9,
        step: 1,
        unit: 'px',
        options,
      }),
    },
    steps: [
      lints({
        'index.html': [
          ...['placeholder', 'maxLength', 'min', 'max', 'step', 'unit', 'options'].map((field) =>
            ignored(`"${field}" applies only to`),
          ),
        ],
      }),
      parsesTo(types[type]),
    ],
  })),
  {
    sentence: 'The options of an enum are required: an array of objects with the strings value and label',
    files: {
      'index.html': declaring(types.enum),
      'missing.html': without(types.enum, 'options'),
      'empty.html': declaring({ ...types.enum, options: [] }),
      'text.html': declaring({ ...types.enum, options: 'b' }),
      'strings.html': declaring({ ...types.enum, options: ['b'] }),
      'unlabeled.html': declaring({ ...types.enum, options: [...options, { value: 'c' }] }),
      'numbers.html': declaring({ ...types.enum, options: [...options, { value: 1, label: 'C' }] }),
    },
    steps: [
      parsesTo(types.enum),
      lints({
        'missing.html': [['error', 'enum-without-options', 'Variable "v" is an enum without options']],
        'empty.html': [['error', 'enum-without-options', 'Variable "v" is an enum without options']],
        'text.html': [['error', 'enum-without-options', 'Variable "v" is an enum without options']],
        'strings.html': [
          [
            'error',
            'enum-without-options',
            'The options of "v" must be objects with a string "value" and a string "label"',
          ],
        ],
        'unlabeled.html': [ignored('An option must be an object with a string "value" and a string "label"')],
        'numbers.html': [ignored('An option must be an object with a string "value" and a string "label"')],
      }),
    ],
  },
  {
    sentence: 'Structured data is passed as a string variable with serialized JSON that the composition parses itself',
    files: {
      'index.html': composition(
        `<p id="p" style="margin:0;height:48px"></p>
<script>document.getElementById('p').style.background = JSON.parse(__framework.getVariables().v).colors[1];</script>`,
        { variables: [{ ...string, default: '{"colors":["red","#0000ff"]}' }] },
      ),
    },
    steps: [lints(), { run: 'snapshot -o blue.png' }, image('blue.png', '64x48', { '32,24': '#0000ff' })],
  },
  {
    sentence: 'Media assets are passed as string variables with URL references; inlined base64 data is not to be used',
    files: {
      'index.html': composition('<img data-var-src="v" style="width:64px;height:48px">', {
        variables: [{ ...string, default: 'red.svg' }],
      }),
      'red.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#ff0000"/></svg>',
      'inlined.html': declaring({ ...string, default: 'data:image/png;base64,iVBORw0KGgo=' }),
    },
    steps: [
      { run: 'snapshot -o red.png' },
      image('red.png', '64x48', { '32,24': '#ff0000' }),
      lints({
        'inlined.html': [['warning', 'inlined-media', '"v" contains a base64-encoded file; use the path or URL']],
      }),
    ],
  },
]);
