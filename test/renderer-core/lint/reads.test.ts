// Rules for reads of variables: the fixes, in each of the places that write ids their own way.
import { test } from 'vitest';
import { check } from './lint.ts';

const page = (inside: string, declared = '{"id":"title","type":"string","label":"Title","default":"Hi"}') =>
  `<html data-composition-variables='[${declared}]'><div data-composition-id="m">${inside}</div></html>`;
const title = '{"id":"title","type":"string","label":"Title","default":"Hi"}';

function checkRead(rule: string, markup: string, name: string, fixed: string) {
  check(page(markup), rule, {
    findings: [`warning ${rule}: Variable "${name}" is not declared; did you mean "title"?`],
    fixes: {
      'Change to "title"': page(fixed),
      [`Declare "${name}" as a string`]: page(
        markup.replace(/[«»]/g, ''),
        `${title},{"id":"${name}","type":"string","label":"Titel","default":""}`,
      ),
    },
    related: ['index.html "title": "title" is declared here'],
  });
}

test('reports undeclared variables in bindings', () => {
  checkRead('undeclared-binding', '<p data-var-text="«titel»"></p>', 'titel', '<p data-var-text="title"></p>');
  checkRead('undeclared-binding', '<p data-var-text=«titel»></p>', 'titel', '<p data-var-text=title></p>');
});

test('reports undeclared variables in color gradings', () => {
  const grading = (preset: string) => `<img data-color-grading='{"preset":"${preset}"}'>`;
  checkRead('unresolved-reference', grading('$«titel»'), 'titel', grading('$title'));
  checkRead('unresolved-reference', grading(`\${«titel»}`), 'titel', grading(`\${title}`));
});

test('reports undeclared variables in scripts', () => {
  const script = (code: string) => `<script>${code}</script>`;
  checkRead('undeclared-read', script('getVariables().«titel»'), 'titel', script('getVariables().title'));
  checkRead('undeclared-read', script('getVariables()["«titel»"]'), 'titel', script('getVariables()["title"]'));
  checkRead(
    'undeclared-read',
    script('const { «titel» } = getVariables()'),
    'titel',
    script('const { title: titel } = getVariables()'),
  );
  checkRead(
    'undeclared-read',
    script('const { «titel»: t } = getVariables()'),
    'titel',
    script('const { title: t } = getVariables()'),
  );
});

test('declares a variable with the fallback of the script', () => {
  const script = '<script>const { size = 12 } = getVariables()</script>';
  check(page(script.replace('size', '«size»')), 'undeclared-read', {
    findings: ['warning undeclared-read: Variable "size" is not declared'],
    fixes: {
      'Declare "size" as a number': page(script, `${title},{"id":"size","type":"number","label":"Size","default":12}`),
    },
  });
});

test('declares the first variable', () => {
  check('<div data-composition-id="m"><p data-var-text="«a»"></p></div>', 'undeclared-binding', {
    findings: ['warning undeclared-binding: Variable "a" is not declared'],
    fixes: {
      'Declare "a" as a string': `<div data-composition-id="m" data-composition-variables='[{"id":"a","type":"string","label":"A","default":""}]'><p data-var-text="a"></p></div>`,
    },
  });
  check('<html><div data-composition-id="m"><p data-var-text="«it\'s»"></p></div></html>', 'undeclared-binding', {
    findings: ['warning undeclared-binding: Variable "it\'s" is not declared'],
    fixes: {
      'Declare "it\'s" as a string': `<html data-composition-variables="[{&quot;id&quot;:&quot;it's&quot;,&quot;type&quot;:&quot;string&quot;,&quot;label&quot;:&quot;It's&quot;,&quot;default&quot;:&quot;&quot;}]"><div data-composition-id="m"><p data-var-text="it's"></p></div></html>`,
    },
  });
});

test('reports fallbacks that differ from the default', () => {
  const script = (fallback: string) => `<script>const { title = ${fallback} } = getVariables()</script>`;
  const declared = `{"id":"title","type":"string","label":"Title","default":"it&#39;s \\"</script>\\""}`;
  check(page(script(`«'Hello'»`), declared), 'different-default', {
    findings: [
      `warning different-default: The fallback "Hello" is never used: the declared default of "title" is "it's \\"</script>\\""`,
    ],
    fixes: {
      'Change to "it\'s \\"</script>\\"" *': page(script(`'it\\'s "\\u003c/script>"'`), declared),
    },
  });
  check(page(script('other')), 'different-default', { findings: [] });
  check(
    page('<script>const { c = "#FFF000" } = getVariables()</script>', '{"id":"c","type":"color","default":"#fff000"}'),
    'different-default',
    { findings: [] },
  );
});

test('reports unused variables', () => {
  const two = '{"id":"a","type":"string"}, {"id":«"b"»,"type":"string"}';
  check(page('<p data-var-text="a"></p>', two), 'unused-variable', {
    findings: ['info unused-variable: Variable "b" is declared but never read in this file'],
    fixes: { 'Remove the variable "b"': page('<p data-var-text="a"></p>', '{"id":"a","type":"string"}') },
  });
  check(page('<script>start(getVariables())</script>'), 'unused-variable', { findings: [] });
  check(page('<script src="own.js"></script>'), 'unused-variable', { findings: [] });
});

test('does not report a variable as unused if its read is misspelled', () => {
  check(page('<p data-var-text="«titel»"></p>'), 'undeclared-binding unused-variable', {
    findings: ['warning undeclared-binding: Variable "titel" is not declared; did you mean "title"?'],
  });
});

test('converts modules to classic scripts if that changes nothing', () => {
  check(page('<script «type="module"»>use(getVariables().title)</script>'), 'module-reads-variables', {
    findings: [
      'warning module-reads-variables: A module script must not read variables; use a classic script, which runs in document order',
    ],
    fixes: { 'Change to a classic script': page('<script>use(getVariables().title)</script>') },
  });
  check(
    page('<script «type="module"»>import x from "y"; use(getVariables().title)</script>'),
    'module-reads-variables',
    {
      findings: [
        'warning module-reads-variables: A module script must not read variables; use a classic script, which runs in document order',
      ],
      fixes: {},
    },
  );
});

test('reports modules in embedded files, and converts them to classic scripts if that changes nothing', () => {
  const embedding = (file: string) =>
    `=== index.html\n<div data-composition-id="main"><div data-composition-src="card.html"></div></div>\n=== card.html\n<div data-composition-id="card">${file}</div>\n`;
  const message =
    'error module-in-embedded-file: An embedded file must not have module scripts, because a module runs once for all mounts and cannot see its own; use a classic script';
  const rules = 'module-in-embedded-file module-reads-variables';
  check(embedding('<script «type="module"»>use(getVariables().title)</script>'), rules, {
    findings: [message],
    fixes: {
      'Change to a classic script':
        '<div data-composition-id="card"><script>use(getVariables().title)</script></div>\n',
    },
  });
  check(embedding('<script «type="module"» src="a.js"></script>'), rules, { findings: [message], fixes: {} });
  check(embedding('<script src="a.js"></script>'), rules, { findings: [] });
  check('<div data-composition-id="main"><script type="module">run()</script></div>', rules, { findings: [] });
});
