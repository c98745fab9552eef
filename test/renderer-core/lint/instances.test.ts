// Rules across files: values against what the embedded composition declares, and the embedding itself.
import { test } from 'vitest';
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

test('a value for no variable', () => {
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

test('values of another type', () => {
  checkValues(
    '{"on":«"true"»}',
    'warning value-type: Variable "on" takes true or false, but "true" was given; write true without quotes',
    { 'Change to true *': host('{"on":true}'), 'Remove "on"': host('{}') },
    ['card.html "on": It is declared here'],
  );
  checkValues(
    '{&quot;name&quot;:«{&quot;a&quot;:[1]}»}',
    'warning value-type: Variable "name" takes a string, but an object was given; pass structured data as a string of JSON',
    {
      'Change to "{\\"a\\":[1]}" *': host('{&quot;name&quot;:&quot;{\\&quot;a\\&quot;:[1]}&quot;}', '"'),
      'Remove "name"': host('{}', '"'),
    },
    ['card.html "name": It is declared here'],
    '"',
  );
});

test('values that are no option', () => {
  checkValues(
    '{"size":«"S"»}',
    'warning value-not-an-option: Variable "size" takes one of "s", "l", but "S" was given; did you mean "s"?',
    { 'Change to "s" *': host('{"size":"s"}'), 'Remove "size"': host('{}') },
    ['card.html "size": It is declared here'],
  );
});

test('a value given twice', () => {
  checkValues(
    '{«"name"»:"Ann","name":"Bob"}',
    'warning duplicate-value: "name" is given again below; this value has no effect',
    { 'Remove it *': host('{"name":"Bob"}') },
    ['index.html "name": This value counts'],
  );
});

test('values that are no JSON', () => {
  check(`=== index.html\n${host('{"on":true, «}»')}${card}`, 'invalid-values', {
    findings: ['error invalid-values: Nothing follows this comma; remove it before }'],
    fixes: { 'Remove the comma *': host('{"on":true }') },
  });
});

test('a declaration that cannot be used', () => {
  check(
    `=== index.html\n${host('{«"a"»:1}')}=== card.html\n<div data-composition-id="c" data-composition-variables='[{"id":"a","type":"object"}]'></div>`,
    'undeclared-value',
    {
      findings: ['warning undeclared-value: The declaration of "a" cannot be used, so this value has no effect'],
      related: [
        'card.html "object": "object" is not a variable type; it is one of string, number, color, boolean, enum',
      ],
    },
  );
});

test('nothing is held against declarations that cannot be read', () => {
  check(
    `=== index.html\n${host('{"a":1}')}=== card.html\n<div data-composition-id="c" data-composition-variables='['></div>`,
    'undeclared-value',
    { findings: [] },
  );
});

test('a composition written out in the file is held against the declarations of its own file', () => {
  check(
    `<html data-composition-variables='[{"id":"a","type":"number"}]'><div data-composition-id="m"><p data-composition-id="p" data-variable-values='{"a":«true»}'></p></div></html>`,
    'value-type',
    { findings: ['warning value-type: Variable "a" takes a number, but true was given'] },
  );
});

const embed = (src: string) => `<div data-composition-id="m"><div data-composition-src="${src}"></div></div>\n`;

test('sources that lead nowhere, and the nearest file', () => {
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
    findings: ['error missing-composition: data-composition-src is empty; it must be the path of a file'],
  });
  check(`=== index.html\n${embed('«../card.html»')}${files}`, 'missing-composition', {
    findings: ['error missing-composition: "../card.html" is not a file inside the project folder'],
  });
});

test('the files of a series are not offered for each other, nor placeholders complained about', () => {
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

test('circles', () => {
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
