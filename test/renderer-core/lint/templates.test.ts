// Pages that a template engine fills in before the render: a placeholder is where a value will be, so it is no mistake.
import { expect, test } from 'vitest';
import { lint } from './lint.ts';

const engines: Record<string, string> = {
  'Jinja, Handlebars': '{{ photo }}',
  'a filter with quotes': '{{ photo|default("a.png") }}',
  'a function with quotes': "{{ url_for('static', filename='a b.png') }}",
  'Handlebars, not escaped': '{{{ photo }}}',
  'a Handlebars helper': '{{#if photo}}{{photo}}{{/if}}',
  'a Handlebars partial': '{{> photo }}',
  'Go, without whitespace': '{{- .Photo -}}',
  'a Jinja tag': "{% static 'photo.png' %}",
  'a Jinja condition': '{% if a > b %}1{% else %}2{% endif %}',
  'a Jinja comment': '{# photo #}',
  PHP: '<?= $photo["large"] ?>',
  'a PHP statement': '<?php echo $a > 0 ? "x" : "y"; ?>',
  ERB: '<%= photo_path("a.png") %>',
  EJS: '<%- photo %>',
  Blade: '{!! $photo !!}',
  'Template Toolkit': '[% photo.large %]',
  'a template string': '${photo}',
  Angular: '[[photo]]',
  Smarty: '{$photo|escape:"html"}',
  Svelte: '{photo}',
  'Svelte, a property': '{item.photo}',
  'Ruby, Pug': '#{photo}',
  Thymeleaf: '@{photo}',
  'create-react-app': '%PHOTO%',
  'a build step': '__PHOTO__',
  Maven: '@photo.large@',
  MSBuild: '$(Photo)',
  Python: '%(photo)s',
  FreeMarker: '<#if photo>1<#else>2</#if>',
};

const declarations = `[{"id":"title","type":"string","label":"Title","default":"Hi"},{"id":"size","type":"number","label":"Size","default":1},
{"id":"tint","type":"color","label":"Tint","default":"#ff0000"},{"id":"kind","type":"enum","label":"Kind","options":[{"value":"a","label":"A"}],"default":"a"}]`;

const files = (body: string): Map<string, string> =>
  new Map([
    [
      'index.html',
      `<!doctype html><html><body><div data-composition-id="main" data-width="64" data-height="36" data-duration="2">${body}</div></body></html>`,
    ],
    [
      'card.html',
      `<div data-composition-id="card" data-composition-variables='${declarations}'><p data-var-text="title" style="color: var(--tint); width: var(--size)" data-kind="kind"></p><script>const { kind } = __framework.getVariables()</script></div>`,
    ],
  ]);

const findings = (body: string): string[] =>
  lint(files(body), 'index.html').map(({ rule, message }) => `${rule}: ${message}`);

/** Where a value can be. In a value with double quotes, engines that need double quotes are used as well. */
const places: Record<string, (placeholder: string) => string> = {
  'an image': (x) => `<img src="${x}">`,
  'a part of a path': (x) => `<img src="img/${x}/large.png">`,
  'a set of images': (x) => `<img src="data:," srcset="${x} 1x, ${x} 2x">`,
  'times and tracks': (x) =>
    `<p id="a" data-start="${x}" data-duration="${x}" data-track-index="${x}"></p><p data-start="a + 1" data-duration="1"></p>`,
  'the end of a clip': (x) =>
    `<p id="a" data-start="0" data-duration="${x}"></p><p data-start="a" data-duration="1"></p>`,
  'the id of a clip': (x) =>
    `<p id="scene-${x}" data-start="0" data-duration="1"></p><p data-start="scene-1" data-duration="1"></p>`,
  'the volume': (x) =>
    `<audio src="data:audio/wav;base64," data-start="0" data-volume="${x}" data-playback-rate='${x}'></audio>`,
  'an embedded file': (x) => `<section data-composition-src="${x}" data-start="0"></section>`,
  'all values': (x) =>
    `<section data-composition-src="card.html" data-start="0" data-variable-values='${x}'></section>`,
  'values in strings': (x) =>
    `<section data-composition-src="card.html" data-start="0" data-variable-values='{"title": "${x}", "size": "${x}", "tint": "${x}", "kind": "${x}"}'></section>`,
  'values without quotes': (x) =>
    `<section data-composition-src="card.html" data-start="0" data-variable-values='{"title": ${x}, "size": ${x}, "tint": ${x}}'></section>`,
  'color grading': (x) =>
    `<video src="data:video/mp4;base64," data-start="0" data-color-grading='{"preset": "${x}", "intensity": ${x}}'></video>`,
  'a binding': (x) => `<p data-var-text="${x}"></p>`,
  'a style attribute': (x) => `<p style="width: ${x}%; background: url(${x})"></p>`,
  'a style sheet': (x) =>
    `<style>p { font-family: ${x}, Arial; background: url(${x}) url("${x}/a.png"); left: ${x} }</style>`,
  'a script': (x) => `<script>const rows = ${x}; const id = "${x}";</script>`,
  text: (x) => `<p>${x}</p>`,
};

// In a JSON string, `${name}` is a reference to a variable of the composition.
test.each(Object.entries(engines))('accepts placeholders of other programs: %s', (_, engine) => {
  const problems = Object.entries(places).flatMap(([place, markup]) => {
    if (engine.startsWith('${') && /^(?:values in|color)/.test(place)) return [];
    // Its branches are numbers, which fit no other place.
    if (engine.startsWith('{% if') && /^(?:all values|values without)/.test(place)) return [];
    return findings(markup(engine)).map((finding) => `${place}: ${finding}`);
  });
  expect(problems).toEqual([]);
});

test.each<[string, string]>([
  ['<img src="nowhere.png" alt="{{ title }}">', 'missing-asset: The file nowhere.png does not exist'],
  ['<p data-start="{{ s }}" data-duration="two"></p>', 'not-a-number: data-duration must be a number (got "two")'],
  [
    '<p id="scene-{{ i }}" data-start="0" data-duration="1"></p><p data-start="seen" data-duration="1"></p>',
    'unknown-clip: No clip has the id "seen"',
  ],
  [
    `<section data-composition-src="card.html" data-start="0" data-variable-values='{"title": {{ t|tojson }}, "size": "big"}'></section>`,
    'value-type: Variable "size" must be a number (got "big")',
  ],
  [
    `<section data-composition-src="card.html" data-start="0" data-variable-values='{"title": {{ t|tojson }}, "size": 2,}'></section>`,
    'invalid-values: Trailing comma in data-variable-values; remove the comma before }',
  ],
  [
    `<section data-composition-src="card.html" data-start="0" data-variable-values='{"title": "{{ t }}", "tilte": "x"}'></section>`,
    'undeclared-value: Variable "tilte" is not declared by card.html; did you mean "title"?',
  ],
  [
    '<style>p { background: url({{ a }}) } q { background: url(b.png) }</style>',
    'missing-asset: The file b.png does not exist',
  ],
  ['<img srcset="{{ a }} 1x, b.png 2x">', 'missing-asset: The file b.png does not exist'],
  ['<p style="width: {{ w }}; background: url(b.png)"></p>', 'missing-asset: The file b.png does not exist'],
  ['<img src="photo{1}.png">', 'missing-asset: The file photo{1}.png does not exist'],
  ['<img src="a%C3%A4b.png">', 'missing-asset: The file aäb.png does not exist'],
  [
    '<img src="{3F2504E0-4F89-11D3-9A0C-0305E82C3301}.png">',
    'missing-asset: The file {3F2504E0-4F89-11D3-9A0C-0305E82C3301}.png does not exist',
  ],
  ['<img src="a__b__c.png">', 'missing-asset: The file a__b__c.png does not exist'],
  [
    `<section data-composition-src="card.html" data-start="0" data-variable-values='{"title": $t}'></section>`,
    'invalid-values: Expected a value for "title" in data-variable-values (got $t)',
  ],
  [
    '<audio src="data:audio/wav;base64," data-start="0" data-volume="$vol"></audio>',
    'not-a-number: data-volume must be a number (got "$vol"); $vol is replaced only in data-variable-values and data-color-grading, so set the attribute in a script',
  ],
])('still finds a mistake next to a placeholder, or in text that only resembles one: %s', (body, expected) => {
  expect(findings(body)).toEqual([expected]);
});

test('reports a missing file whose name is in braces if other files have such names', () => {
  const page = files('<img src="img/{small}.png">');
  expect(lint(page, 'index.html')).toEqual([]);
  page.set('img/{large}.png', '');
  expect(lint(page, 'index.html').map(({ rule }) => rule)).toEqual(['missing-asset']);
});

const card = (declarations: string) =>
  lint(
    new Map([
      [
        'index.html',
        `<!doctype html><html data-composition-variables='${declarations}'><body><div data-composition-id="main" data-width="64" data-height="36" data-duration="2"><p data-var-text="title"></p></div></body></html>`,
      ],
    ]),
    'index.html',
  ).map(({ rule }) => rule);

test.each([
  '{{ variables|tojson }}',
  '[{"id":"title","type":"string","label":"Title","default":{{ title|tojson }}}]',
  '[{"id":"title","type":"number","label":"{{ label }}","default":{{ n }},"min":{{ min }}}]',
  '[{% for v in all %}{"id":"{{ v.id }}","type":"string","label":"{{ v.label }}","default":"{{ v.value }}"}{% if not loop.last %},{% endif %}{% endfor %},{"id":"title","type":"string","label":"T","default":""}]',
  '[{"id":"title","type":"{{ type }}","label":"T","default":""}]',
  '[<?php foreach ($all as $i => $v): ?>{"id":"title","type":"string","label":"T","default":""}<?php endforeach; ?>]',
])('accepts placeholders in declarations: %s', (declarations) => {
  expect(card(declarations)).toEqual([]);
});

test('finds a mistake next to a placeholder in declarations', () => {
  expect(card('[{"id":"title","type":"strng","label":"T","default":{{ t }}}]')).toEqual(['unknown-type']);
  expect(card('[{"id":"title","type":"string","label":"{{ t }}"}]')).toEqual(['missing-default']);
});

test('reads a page as the engine will write it: tags before it, in its tags and around its attributes', () => {
  const page = `---
layout: none
---
{% extends "base.html" %}
<!doctype html>
<html <?php if ($a > 1) echo "lang='de'"; ?> {{ attributes }} data-composition-variables='[{"id":"title","type":"string","label":"T","default":""}]'>
<body {% if dark %}class="dark"{% endif %}><div {% if a > b %}data-composition-id="main"{% endif %} data-width={{ w }} data-height={{ h }} {{ attrs }}>
<p data-var-text="title" title="{{ f("x > y") }}"></p><img src="missing.png"></div></body></html>`;
  expect(lint(new Map([['index.html', page]]), 'index.html').map(({ rule, message }) => `${rule}: ${message}`)).toEqual(
    ['missing-asset: The file missing.png does not exist'],
  );
});
