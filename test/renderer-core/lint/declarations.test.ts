// Rules for the declarations of variables: what is found, and what fixes make of it. Long, because the rules are one list.
import { describe, test } from 'vitest';
import { check } from './lint.ts';

/** A composition with these declarations, in single quotes. */
const page = (declarations: string) =>
  `<html data-composition-variables='${declarations}'><div data-composition-id="a"></div></html>`;

/** The rules for declarations. */
const allRules =
  'missing-id missing-type unknown-type missing-label missing-default default-type enum-without-options default-not-an-option default-out-of-range contradictory-range ignored-field';

/** Findings of some rules among marked declarations, and the declarations after each fix. */
function checkDeclarations(markup: string, rules: string, findings: string[], fixes?: Record<string, string>) {
  const after = Object.entries(fixes ?? {}).map(([title, declarations]) => [title, page(declarations)]);
  check(page(markup), rules, { findings, ...(fixes ? { fixes: Object.fromEntries(after) } : {}) });
}

test('reports invalid JSON', () => {
  checkDeclarations('[{"id":"a",«]»', 'invalid-declarations', [
    'error invalid-declarations: Trailing comma in data-composition-variables; remove the comma before ]',
  ]);
  checkDeclarations(
    '[{"id":"a"},\n «]»',
    'invalid-declarations',
    ['error invalid-declarations: Trailing comma in data-composition-variables; remove the comma before ]'],
    { 'Remove the comma *': '[{"id":"a"}\n ]' },
  );
  check(`<p data-composition-id="m" data-composition-variables="[{«'id'»:'a'}]"></p>`, 'invalid-declarations', {
    findings: ['error invalid-declarations: JSON strings and keys must be in double quotes'],
    fixes: {
      'Swap single and double quotes *': `<p data-composition-id="m" data-composition-variables='[{"id":"a"}]'></p>`,
    },
  });
});

test('converts declarations in the notation of other tools', () => {
  const inArray =
    'error invalid-declarations: data-composition-variables must be a JSON array, [{"id": …}]: the key "a" is the "id" of an item';
  const message =
    'error invalid-declarations: data-composition-variables must be a JSON array, [{"id": …}] (got an object)';
  checkDeclarations('«{"a":{"type":"string"},"b":{"type":"number"}}»', 'invalid-declarations', [inArray], {
    'Convert to an array *': '[{"id":"a","type":"string"},{"id":"b","type":"number"}]',
  });
  checkDeclarations('«{"id":"a","type":"string"}»', 'invalid-declarations', [message], {
    'Convert to an array *': '[{"id":"a","type":"string"}]',
  });
  checkDeclarations('«{"variables":[{"id":"a","type":"string"}]}»', 'invalid-declarations', [message], {
    'Convert to an array *': '[{"id":"a","type":"string"}]',
  });
  checkDeclarations('«{"a":{"type":"string","default":{{ a }}}}»', 'invalid-declarations', [inArray], {});
});

test('reports every missing field of a declaration', () => {
  checkDeclarations('[«{"id":««"x"»»}»]', 'missing-type missing-label missing-default', [
    'error missing-type: Variable "x" has no "type"; use one of string, number, color, boolean, enum',
    'error missing-label: Variable "x" has no "label"',
    'error missing-default: Variable "x" has no "default"',
  ]);
});

test('derives a missing label from the id', () => {
  checkDeclarations(
    '[{"id":«"titleColor"»,"type":"color","default":"#ffffff"}]',
    'missing-label',
    ['error missing-label: Variable "titleColor" has no "label"'],
    {
      'Add "label": "Title color" *': '[{"id":"titleColor","type":"color","default":"#ffffff","label":"Title color"}]',
    },
  );
});

test('formats added text like the existing text', () => {
  checkDeclarations(
    '[\n  {\n    "id": «"a"»,\n    "type": "string"\n  }\n]',
    'missing-label',
    ['error missing-label: Variable "a" has no "label"'],
    { 'Add "label": "A" *': '[\n  {\n    "id": "a",\n    "type": "string",\n    "label": "A"\n  }\n]' },
  );
});

test('encodes added text for its quotes', () => {
  check(
    `<html data-composition-variables="[{&quot;id&quot;:«&quot;it's&quot;»,&quot;type&quot;:&quot;string&quot;}]"><div data-composition-id="a"></div></html>`,
    'missing-label',
    {
      findings: [`error missing-label: Variable "it's" has no "label"`],
      fixes: {
        'Add "label": "It\'s" *': `<html data-composition-variables="[{&quot;id&quot;:&quot;it's&quot;,&quot;type&quot;:&quot;string&quot;,&quot;label&quot;:&quot;It's&quot;}]"><div data-composition-id="a"></div></html>`,
      },
    },
  );
  checkDeclarations(
    '[{"id":«"it&#39;s"»,"type":"string"}]',
    'missing-label',
    [`error missing-label: Variable "it's" has no "label"`],
    { 'Add "label": "It\'s" *': '[{"id":"it&#39;s","type":"string","label":"It&#39;s"}]' },
  );
});

test('adds the fallback of a script, or the simplest value, as a missing default', () => {
  checkDeclarations(
    '[{"id": «"size"», "type": "number", "label": "Size", "min": 8}]',
    'missing-default',
    ['error missing-default: Variable "size" has no "default"'],
    { 'Add "default": 8': '[{"id": "size", "type": "number", "label": "Size", "min": 8, "default": 8}]' },
  );
  const script = '<script>const { size = 12 } = __framework.getVariables()</script>';
  check(`${page('[{"id":«"size"»,"type":"number","label":"Size"}]')}${script}`, 'missing-default', {
    findings: ['error missing-default: Variable "size" has no "default"'],
    fixes: {
      'Add "default": 12 *': `${page('[{"id":"size","type":"number","label":"Size","default":12}]')}${script}`,
    },
  });
});

test.each([
  ['number', '"5"', '5', '5 *'],
  ['number', '" 1e3 "', '1000', '1000 *'],
  ['boolean', '"True"', 'true', 'true *'],
  ['color', '"#abc"', '"#aabbcc"', '"#aabbcc" *'],
  ['color', '"tomato"', '"#ff6347"', '"#ff6347" *'],
  ['color', '"rgb(255, 0, 16)"', '"#ff0010"', '"#ff0010" *'],
  ['string', '5', '"5"', '"5" *'],
])('converts a default of the wrong type: %s %s', (type, given, fixed, title) => {
  const declaration = (value: string) => `[{"id":"a","type":"${type}","label":"A","default":${value}}]`;
  const shape = { number: 'a number', boolean: 'true or false', color: 'a color as #rrggbb', string: 'a string' }[type];
  checkDeclarations(
    declaration(`«${given}»`),
    'default-type',
    [`error default-type: The default of "a" must be ${shape} (got ${given})`],
    { [`Change to ${title}`]: declaration(fixed) },
  );
});

test('offers the simplest default if the default cannot be converted, but not as a safe fix', () => {
  checkDeclarations(
    '[{"id":"a","type":"number","default":«"big"»}]',
    'default-type',
    ['error default-type: The default of "a" must be a number (got "big")'],
    { 'Change to 0': '[{"id":"a","type":"number","default":0}]' },
  );
});

test('reports unknown types', () => {
  const others = 'use one of string, number, color, boolean, enum';
  checkDeclarations(
    '[{"id":"a","type":«"text"»,"default":"x"}]',
    'unknown-type',
    [`error unknown-type: Unknown variable type "text"; ${others}`],
    { 'Change the type to "string" *': '[{"id":"a","type":"string","default":"x"}]', 'Remove the declaration': '[]' },
  );
  checkDeclarations(
    '[{"id":"a","type":«"nubmer"»,"default":"x"}]',
    'unknown-type',
    [`error unknown-type: Unknown variable type "nubmer"; ${others}; did you mean "number"?`],
    { 'Change the type to "number"': '[{"id":"a","type":"number","default":"x"}]', 'Remove the declaration': '[]' },
  );
});

test.each(['image', 'Video', 'url'])('warns of the type %s of other tools', (type) => {
  checkDeclarations(
    `[{"id":"a","type":«"${type}"»,"label":"A","default":"a.png"}]`,
    allRules,
    [`warning unknown-type: Unknown variable type "${type}"; use "string", with the path of the file as its value`],
    {
      'Change the type to "string" *': '[{"id":"a","type":"string","label":"A","default":"a.png"}]',
      'Remove the declaration': '[]',
    },
  );
});

test('reports a contradictory range, but not the default that is outside it', () => {
  checkDeclarations('[{"id":"a","type":"number","label":"A","min":«9»,"max":1,"default":5}]', allRules, [
    'warning contradictory-range: "min" of "a" must not be greater than "max" (9 > 1)',
  ]);
});

test('reports a contradictory range also if the default has another type', () => {
  checkDeclarations('[{"id":"a","type":"number","label":"A","min":«9»,"max":1,"default":"x"}]', 'contradictory-range', [
    'warning contradictory-range: "min" of "a" must not be greater than "max" (9 > 1)',
  ]);
});

test('reports a duplicate declaration', () => {
  check(
    page('[{"id":"a","type":"string"},{"id":«"a"»,"type":"number"},{"id":"b","type":"string"}]'),
    'duplicate-variable',
    {
      findings: ['error duplicate-variable: "a" is already declared; only the first declaration is used'],
      fixes: { 'Remove the declaration': page('[{"id":"a","type":"string"},{"id":"b","type":"string"}]') },
      related: ['index.html "a": "a" is declared here first'],
    },
  );
});

test('reports a duplicate declaration whose first declaration is rejected', () => {
  checkDeclarations(
    '[{"id":"a","type":"txt"},{"id":«"a"»,"type":"number","label":"A","default":1}]',
    'duplicate-variable',
    ['error duplicate-variable: "a" is already declared; the first declaration is invalid, so this one is used'],
    { 'Remove the first declaration': '[{"id":"a","type":"number","label":"A","default":1}]' },
  );
});

test('reports an empty label', () => {
  checkDeclarations(
    '[{"id":"subTitle","type":"string","label":«" "»,"default":""}]',
    'missing-label',
    ['error missing-label: The "label" of variable "subTitle" is empty'],
    { 'Change to "Sub title" *': '[{"id":"subTitle","type":"string","label":"Sub title","default":""}]' },
  );
});

test('derives a missing id from the label', () => {
  checkDeclarations(
    '[«{"type":"string","label":"Sub title!"}»]',
    'missing-id',
    ['error missing-id: The declaration has no "id"'],
    {
      'Add "id": "subTitle"': '[{"type":"string","label":"Sub title!","id":"subTitle"}]',
      'Remove the declaration': '[]',
    },
  );
});

test('reports ignored fields', () => {
  checkDeclarations(
    '[{"id":"a","type":"string",«"maxLenght"»:5}]',
    'ignored-field',
    ['warning ignored-field: Unknown field "maxLenght"; did you mean "maxLength"?'],
    { 'Change to "maxLength" *': '[{"id":"a","type":"string","maxLength":5}]' },
  );
  checkDeclarations(
    '[{"id":"a",«"min"»:5,"type":"string"}]',
    'ignored-field',
    ['warning ignored-field: "min" applies only to number variables, not to type "string"'],
    { 'Remove "min"': '[{"id":"a","type":"string"}]' },
  );
  checkDeclarations(
    '[{"id":"a","type":"number",«"min"»:"5"}]',
    'ignored-field',
    ['warning ignored-field: "min" must be a number (got a string)'],
    { 'Change to 5 *': '[{"id":"a","type":"number","min":5}]', 'Remove "min"': '[{"id":"a","type":"number"}]' },
  );
});

test('accepts fields of other tools', () => {
  const fields = ['role', 'group', 'name', 'hint', 'minLength', 'required', 'category', 'order', 'labels', 'steps'];
  const others = fields.map((field) => `,"${field}":"x"`).join('');
  checkDeclarations(
    `[{"id":"a","type":"string","label":"A","default":"","description":"Help"${others}}]`,
    allRules,
    [],
  );
  checkDeclarations('[{"id":"a","type":"boolean","label":"A","default":true,"maxLenght":5}]', allRules, []);
});

test.each([
  ['missing-id', '{«"Id"»:"a","type":"string","label":"A","default":""}', 'id'],
  ['missing-type', '{"id":"a",«"tpye"»:"string","label":"A","default":""}', 'type'],
  ['missing-label', '{"id":"a","type":"string",«"lable"»:"A","default":""}', 'label'],
  ['missing-default', '{"id":"a","type":"number","label":"A",«"defualt"»:1}', 'default'],
  [
    'enum-without-options',
    '{"id":"a","type":"enum","label":"A","default":"s",«"option"»:[{"value":"s","label":"S"}]}',
    'options',
  ],
  ['ignored-field', '{"id":"a","type":"string","label":"A","default":"",«"descripton"»:"Help"}', 'description'],
  [
    'ignored-field',
    '{"id":"a","type":"enum","label":"A","default":"s","options":[{"value":"s",«"lable"»:"S"}]}',
    'label',
  ],
  [
    'ignored-field',
    '{"id":"a","type":"enum","label":"A","default":"s","options":[{«"vlaue"»:"s","label":"S"}]}',
    'value',
  ],
])('reports a misspelled field once: %s in %s', (rule, declaration, meant) => {
  const key = /«(".*?")»/.exec(declaration)?.[1] ?? '';
  const severity = rule === 'ignored-field' ? 'warning' : 'error';
  checkDeclarations(
    `[${declaration}]`,
    allRules,
    [`${severity} ${rule}: Unknown field ${key}; did you mean "${meant}"?`],
    { [`Change to "${meant}" *`]: `[${declaration.replace(/«".*?"»/, `"${meant}"`)}]` },
  );
});

test('converts options that are plain values together', () => {
  checkDeclarations(
    '[{"id":"a","type":"enum","label":"A","default":"s","options":«["s","l"]»}]',
    allRules,
    ['error enum-without-options: The options of "a" must be objects with a string "value" and a string "label"'],
    {
      'Convert the options to objects *':
        '[{"id":"a","type":"enum","label":"A","default":"s","options":[{"value":"s","label":"S"},{"value":"l","label":"L"}]}]',
    },
  );
});

test('reports options that are not objects, and converts them', () => {
  const message = 'warning ignored-field: An option must be an object with a string "value" and a string "label"';
  checkDeclarations(
    '[{"id":"a","type":"enum","options":[«"big-one"»,«{"value":"s"}»]}]',
    'ignored-field',
    [message, message],
    {
      'Convert to an object *':
        '[{"id":"a","type":"enum","options":[{"value":"big-one","label":"Big one"},{"value":"s"}]}]',
      'Add a label *': '[{"id":"a","type":"enum","options":["big-one",{"value":"s","label":"S"}]}]',
    },
  );
});

test('reports defaults outside options and ranges', () => {
  check(
    page('[{"id":"a","type":"enum","options":[{"value":"s","label":"S"},{"value":"l","label":"L"}],"default":«"L"»}]'),
    'default-not-an-option',
    {
      findings: ['error default-not-an-option: The default of "a" must be one of its options, "s", "l" (got "L")'],
      fixes: {
        'Change to "l" *': page(
          '[{"id":"a","type":"enum","options":[{"value":"s","label":"S"},{"value":"l","label":"L"}],"default":"l"}]',
        ),
        'Change to "s"': page(
          '[{"id":"a","type":"enum","options":[{"value":"s","label":"S"},{"value":"l","label":"L"}],"default":"s"}]',
        ),
      },
    },
  );
  checkDeclarations(
    '[{"id":"a","type":"number","max":10,"default":«20»}]',
    'default-out-of-range',
    ['warning default-out-of-range: The default of "a" must be at most 10 (got 20)'],
    { 'Change to 10': '[{"id":"a","type":"number","max":10,"default":10}]' },
  );
  checkDeclarations('[{"id":"a","type":"string","maxLength":2,"default":«"abc"»}]', 'default-out-of-range', [
    'warning default-out-of-range: The default of "a" must be at most 2 characters long (got 3)',
  ]);
});

test('reports declarations on other elements', () => {
  const declarations = `data-composition-variables='[{"id":"a","type":"string"}]'`;
  check(
    `<html><body><div data-composition-id="m"><p «data-composition-variables»='[{"id":"a","type":"string"}]'></p></div></body></html>`,
    'misplaced-declarations',
    {
      findings: [
        'warning misplaced-declarations: Declarations on <p> are ignored; put them on <html>, or on the root composition of a fragment',
      ],
      fixes: {
        'Move the declarations to <html> *': `<html ${declarations}><body><div data-composition-id="m"><p></p></div></body></html>`,
        'Remove these declarations': '<html><body><div data-composition-id="m"><p></p></div></body></html>',
      },
    },
  );
});

describe('declarations on the wrong element', () => {
  const reads =
    '<p data-var-text="a"></p><p data-var-text="b"></p><script>const { a, b } = __framework.getVariables()</script>';
  const body = (attributes: string) => `<body ${attributes}><div data-composition-id="m">${reads}</div></body></html>`;
  const rules = 'misplaced-declarations undeclared-binding undeclared-read unused-variable';
  const declared = (ids: string) =>
    `data-composition-variables='[${[...ids].map((id) => `{"id":"${id}","type":"string"}`).join(',')}]'`;
  const marked = (ids: string) => declared(ids).replace('data-composition-variables', '«data-composition-variables»');

  test('are one finding, however often their variables are read', () => {
    check(`<html>${body(marked('ab'))}`, rules, {
      findings: [
        'warning misplaced-declarations: Declarations on <body> are ignored; put them on <html>, or on the root composition of a fragment',
      ],
      fixes: {
        'Move the declarations to <html> *': `<html ${declared('ab')}>${body('').replace('<body ', '<body')}`,
        'Remove these declarations': `<html>${body('').replace('<body ', '<body')}`,
      },
    });
  });

  test('do not hide a misspelled read', () => {
    check(`<html>${body(marked('a')).replaceAll('"b"', '"«c»"').replace('{ a, b }', '{ a }')}`, rules, {
      findings: [
        'warning misplaced-declarations: Declarations on <body> are ignored; put them on <html>, or on the root composition of a fragment',
        'warning undeclared-binding: Variable "c" is not declared',
      ],
    });
  });

  test('are added to those that are used', () => {
    check(`<html ${declared('a')}>${body(marked('ab'))}`, rules, {
      findings: [
        'warning misplaced-declarations: Declarations on <body> are ignored: this file declares its variables on another element',
      ],
      fixes: {
        'Move the declarations to <html>': `<html ${declared('ab')}>${body('').replace('<body ', '<body')}`,
        'Remove these declarations': `<html ${declared('a')}>${body('').replace('<body ', '<body')}`,
      },
    });
  });

  test('are known to the files that embed them', () => {
    const host = `=== index.html\n<div data-composition-id="m"><div data-composition-src="card.html" data-variable-values='{"a":"x",«"z"»:1}'></div></div>\n=== card.html\n<html><body ${declared('a')}><div data-composition-id="c"></div></body></html>\n`;
    check(host, 'undeclared-value', {
      findings: ['warning undeclared-value: Variable "z" is not declared by card.html; it declares no variables'],
    });
  });
});
