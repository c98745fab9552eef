// Rules across files: values against what the embedded composition declares, and the embedding itself.
import { describe, test } from 'vitest';
import { check } from './lint.ts';

const card = `=== card.html
<div data-composition-id="card" data-composition-variables='[{"id":"name","type":"string","label":"Name"},{"id":"size","type":"enum","label":"Size","options":[{"value":"s","label":"S"},{"value":"l","label":"L"}]},{"id":"on","type":"boolean","label":"On"}]'></div>`;

/** An `index.html` that gives these values to `card.html`. */
const host = (values: string, quote = "'") =>
  `<div data-composition-id="m"><div data-composition-src="card.html" data-variable-values=${quote}${values}${quote}></div></div>\n`;

function checkValues(markup: string, finding: string, fixes: Record<string, string>, related: string[], quote = "'") {
  check(
    `=== index.html\n${host(markup, quote)}${card}`,
    'undeclared-value value-type value-not-an-option duplicate-value',
    {
      findings: [finding],
      fixes,
      related,
    },
  );
}

test('reports a value for an undeclared variable', () => {
  check(`=== index.html\n${host('{«"nmae"»:"Ann","on":true}')}${card}`, 'undeclared-value', {
    findings: ['warning undeclared-value: Variable "nmae" is not declared by card.html; did you mean "name"?'],
    fixes: {
      'Change to "name"': host('{"name":"Ann","on":true}'),
      'Declare "nmae" as a string in card.html': card
        .slice('=== card.html\n'.length)
        .replace(`"label":"On"}]`, `"label":"On"},{"id":"nmae","type":"string","label":"Nmae","default":"Ann"}]`),
      'Remove "nmae"': host('{"on":true}'),
    },
    related: ['card.html "name": "name" is declared here'],
  });
});

test('reports values of the wrong type', () => {
  checkValues(
    '{"on":«"true"»}',
    'warning value-type: Variable "on" must be true or false (got "true"); write true without quotes',
    { 'Change to true *': host('{"on":true}'), 'Remove "on"': host('{}') },
    ['card.html "on": The variable is declared here'],
  );
  checkValues(
    '{&quot;name&quot;:«{&quot;a&quot;:[1]}»}',
    'warning value-type: Variable "name" must be a string (got an object); pass structured data as a JSON string',
    {
      'Change to "{\\"a\\":[1]}" *': host('{&quot;name&quot;:&quot;{\\&quot;a\\&quot;:[1]}&quot;}', '"'),
      'Remove "name"': host('{}', '"'),
    },
    ['card.html "name": The variable is declared here'],
    '"',
  );
});

test('reports values that are not an option', () => {
  checkValues(
    '{"size":«"S"»}',
    'warning value-not-an-option: Variable "size" must be one of "s", "l" (got "S"); did you mean "s"?',
    {
      'Change to "s" *': host('{"size":"s"}'),
      'Change to "l"': host('{"size":"l"}'),
      'Remove "size"': host('{}'),
    },
    ['card.html "size": The variable is declared here'],
  );
});

describe('a value that refers to a variable of the embedding composition', () => {
  const declared = (type: string, more = '') => `{"id":"own","type":"${type}","label":"Own"${more}}`;
  const page = (values: string, declarations: string) =>
    host(values).replace('"m"', `"m" data-composition-variables='[${declarations}]'`);
  const options = (...values: string[]) => `,"options":[${values.map((value) => `{"value":"${value}"}`).join()}]`;
  const checkPassed = (values: string, declarations: string, findings: string[]) =>
    check(
      `=== index.html\n${page(values, declarations)}${card}`,
      'unresolved-reference undeclared-value value-type value-not-an-option unused-variable',
      { findings },
    );

  test('may have any type that fits', () => {
    checkPassed('{"name":"$own"}', declared('string'), []);
    checkPassed('{"name":"$own"}', declared('color'), []);
    checkPassed('{"on":"${own}"}', declared('boolean'), []);
    checkPassed('{"size":" $own "}', declared('enum', options('l', 's')), []);
  });

  test('is reported if its type does not fit', () => {
    const markup = `=== index.html\n${page('{"on":«"$own"»}', declared('string'))}${card}`;
    check(markup, 'value-type', {
      findings: ['warning value-type: Variable "on" must be true or false (got $own, a variable of type string)'],
      fixes: { 'Remove "on"': page('{}', declared('string')) },
      related: ['index.html "own": "own" is declared here', 'card.html "on": "on" is declared here'],
    });
    checkPassed('{"size":«"$own"»}', declared('string'), [
      'warning value-type: Variable "size" must be one of "s", "l" (got $own, a variable of type string)',
    ]);
  });

  test('is reported if it has other options', () => {
    checkPassed('{"size":«"$own"»}', declared('enum', options('s', 'xl')), [
      'warning value-not-an-option: Variable "size" must be one of "s", "l" (got $own, which can be "xl")',
    ]);
  });

  test('is reported if it is not declared, with a fix that declares it like its target', () => {
    const markup = `=== index.html\n${page('{"on":"$«owm»"}', declared('boolean'))}${card}`;
    check(markup, 'unresolved-reference', {
      findings: ['warning unresolved-reference: Variable "owm" is not declared; did you mean "own"?'],
      fixes: {
        'Change to "own"': page('{"on":"$own"}', declared('boolean')),
        'Declare "owm" as a boolean': page(
          '{"on":"$owm"}',
          `${declared('boolean')},{"id":"owm","type":"boolean","label":"Owm","default":false}`,
        ),
      },
    });
  });

  test('is not reported if its declaration is invalid, which is a finding of its own', () => {
    checkPassed('{"name":"$own"}', declared('object'), []);
  });
});

test('reports a repeated value', () => {
  checkValues(
    '{«"name"»:"Ann","name":"Bob"}',
    'warning duplicate-value: "name" is given again below; this value has no effect',
    { 'Remove this value *': host('{"name":"Bob"}') },
    ['index.html "name": This value is used'],
  );
});

test('reports values that are not JSON', () => {
  check(`=== index.html\n${host('{"on":true, «}»')}${card}`, 'invalid-values', {
    findings: ['error invalid-values: Trailing comma in data-variable-values; remove the comma before }'],
    fixes: { 'Remove the comma *': host('{"on":true }') },
  });
});

test('does not report values of an invalid declaration, which is a finding of its own', () => {
  check(
    `=== index.html\n${host('{"a":1}')}=== card.html\n<div data-composition-id="c" data-composition-variables='[{"id":"a","type":"object"}]'></div>`,
    'undeclared-value',
    { findings: [] },
  );
});

test('checks nothing against invalid declarations', () => {
  check(
    `=== index.html\n${host('{"a":1}')}=== card.html\n<div data-composition-id="c" data-composition-variables='['></div>`,
    'undeclared-value',
    { findings: [] },
  );
});

test('checks an inline composition against the declarations of its own file', () => {
  check(
    `<html data-composition-variables='[{"id":"a","type":"number"}]'><div data-composition-id="m"><p data-composition-id="p" data-variable-values='{"a":«true»}'></p></div></html>`,
    'value-type',
    { findings: ['warning value-type: Variable "a" must be a number (got true)'] },
  );
});

const embed = (src: string) => `<div data-composition-id="m"><div data-composition-src="${src}"></div></div>\n`;

test('reports missing sources with the most similar file', () => {
  const files = '=== cards/Card.html\n<div data-composition-id="c"></div>\n=== notes.txt\n';
  check(`=== index.html\n${embed('«cards/card.html»')}${files}`, 'missing-composition', {
    findings: ['error missing-composition: cards/card.html does not exist; did you mean cards/Card.html?'],
    fixes: { 'Change to "cards/Card.html"': embed('cards/Card.html') },
  });
  check(`=== index.html\n${embed('«Card.html»')}${files}`, 'missing-composition', {
    findings: ['error missing-composition: Card.html does not exist; did you mean cards/Card.html?'],
    fixes: { 'Change to "cards/Card.html"': embed('cards/Card.html') },
  });
  check(`=== index.html\n${embed('«notes.txt»')}${files}`, 'missing-composition not-a-composition', {
    findings: ['error not-a-composition: notes.txt is not an HTML file'],
  });
  check(`=== index.html\n${embed('«»')}${files}`, 'missing-composition', {
    findings: ['error missing-composition: data-composition-src must be the path of a file (got an empty value)'],
  });
  check(`=== index.html\n${embed('«../card.html»')}${files}`, 'missing-composition', {
    findings: ['error missing-composition: "../card.html" is not a file inside the project folder'],
  });
});

test('does not suggest files of a series for each other, and ignores placeholders', () => {
  check(
    `=== index.html\n${embed('«line-1.html»')}=== line-2.html\n<p data-composition-id="a">`,
    'missing-composition',
    {
      findings: ['error missing-composition: line-1.html does not exist'],
      fixes: {},
    },
  );
  check(`=== index.html\n${embed('{{scene}}.html')}`, 'missing-composition', { findings: [] });
});

test('reports cycles', () => {
  check(
    `=== a.html\n${embed('«b.html»')}=== b.html\n${embed('c.html')}=== c.html\n${embed('a.html')}`,
    'circular-composition',
    {
      findings: ['error circular-composition: a.html embeds itself: a.html → b.html → c.html → a.html'],
      related: ['b.html c.html: b.html embeds c.html', 'c.html a.html: c.html embeds a.html'],
    },
  );
  check(`=== a.html\n${embed('«a.html»')}`, 'circular-composition', {
    findings: ['error circular-composition: a.html embeds itself: a.html → a.html'],
  });
  check(`=== a.html\n${embed('b.html')}=== b.html\n${embed('b.html')}`, 'circular-composition', { findings: [] });
});

test('reports a file without a composition as an error only if a render needs it', () => {
  const text = '<div data-composition-src="b.html"></div>\n';
  const markedText = `«<»${text.slice(1)}`;
  const message = 'No element has data-composition-id; add it to the outermost element of the composition';
  const b = '=== b.html\n<div data-composition-id="b"></div>\n';
  check(`=== index.html\n${markedText}${b}`, 'no-composition', { findings: [`error no-composition: ${message}`] });
  check(`=== a.html\n${markedText}${b}`, 'no-composition', { findings: [`info no-composition: ${message}`] });
  check(`=== a.html\n${markedText}${b}=== c.html\n${embed('a.html')}`, 'no-composition', {
    findings: [`error no-composition: ${message}`],
  });
  check('=== index.html\n<p>Set data-composition-id on the root.</p>\n', 'no-composition', { findings: [] });
});
