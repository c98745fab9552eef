// Declarations: which are usable, which are rejected, and what is blamed.
import { expect, test } from 'vitest';
import { parseComposition } from '../../../../renderer-core/model/composition.ts';
import { marked } from '../../../support/editor/markup.ts';

const variablesOf = (json: string) =>
  parseComposition(`<html data-composition-variables='${json}'><body data-composition-id="main">`).variables;

function checkUsable(json: string, expected: unknown[]) {
  expect(variablesOf(json).declared.map(({ declaration }) => declaration)).toEqual(expected);
}

/** The marked range is what is blamed. */
function checkRejected(json: string, reason: string, message: string) {
  const { text, spans } = marked(`<html data-composition-variables='${json}'><body data-composition-id="main">`);
  const { rejected } = parseComposition(text).variables;
  expect(rejected.map((one) => ({ reason: one.reason, message: one.message, span: one.span }))).toEqual([
    { reason, message, span: spans[0] },
  ]);
}

function checkIgnored(json: string, message: string) {
  const { text, spans } = marked(`<html data-composition-variables='${json}'><body data-composition-id="main">`);
  const { declared } = parseComposition(text).variables;
  expect(declared.flatMap(({ ignored }) => ignored.map(({ message, span }) => ({ message, span })))).toEqual([
    { message, span: spans[0] },
  ]);
}

test('reads all five types with all their fields', () => {
  const declarations = [
    {
      id: 'title',
      type: 'string',
      label: 'Title',
      description: 'Shown at the start',
      default: 'Hello',
      placeholder: 'Type…',
      maxLength: 40,
    },
    { id: 'size', type: 'number', label: 'Size', default: 1.5, min: 0, max: 10, step: 0.5, unit: 'em' },
    { id: 'ink', type: 'color', label: 'Ink', default: '#A1b2C3' },
    { id: 'dark', type: 'boolean', label: 'Dark', default: false },
    { id: 'look', type: 'enum', label: 'Look', default: 'warm', options: [{ value: 'warm', label: 'Warm' }] },
  ];
  checkUsable(JSON.stringify(declarations), declarations);
});

test('accepts a string id, a known type and a valid default', () => {
  checkUsable('[{"id":"a","type":"string"}]', [{ id: 'a', type: 'string' }]);
  checkUsable('[{"id":"a","type":"enum","default":"outside"}]', [{ id: 'a', type: 'enum', default: 'outside' }]);
  checkUsable('[]', []);
});

test('rejects invalid declarations with the span of the invalid part', () => {
  checkRejected('[«"title"»]', 'not-an-object', 'A declaration must be a JSON object (got a string)');
  checkRejected('[«{"type":"string"}»]', 'missing-id', 'The declaration has no "id"');
  checkRejected('[{"id":«7»,"type":"string"}]', 'invalid-id', '"id" must be a string (got a number)');
  checkRejected('[{"id":«""»,"type":"string"}]', 'invalid-id', '"id" must not be ""');
  checkRejected('[{"id":«"__proto__"»,"type":"string"}]', 'invalid-id', '"id" must not be "__proto__"');
  checkRejected(
    '[«{"id":"a"}»]',
    'missing-type',
    'Variable "a" has no "type"; use one of string, number, color, boolean, enum',
  );
  checkRejected(
    '[{"id":"a","type":«"object"»}]',
    'unknown-type',
    'Unknown variable type "object"; use one of string, number, color, boolean, enum',
  );
  checkRejected(
    '[{"id":"a","type":«"sting"»}]',
    'unknown-type',
    'Unknown variable type "sting"; use one of string, number, color, boolean, enum; did you mean "string"?',
  );
  checkRejected(
    '[{"id":"a","type":"number","default":«"5"»}]',
    'default-mismatch',
    'The default of "a" must be a number (got "5")',
  );
  checkRejected(
    '[{"id":"a","type":"color","default":«"#fff"»}]',
    'default-mismatch',
    'The default of "a" must be a color as #rrggbb (got "#fff")',
  );
  checkRejected(
    '[{"id":"a","type":"boolean","default":«null»}]',
    'default-mismatch',
    'The default of "a" must be true or false (got null)',
  );
  checkRejected(
    '[{"id":"a","type":"number","default":«1e999»}]',
    'default-mismatch',
    'The default of "a" must be a number (got Infinity)',
  );
});

test('uses the first of equal ids', () => {
  const json = '[{"id":"a","type":"string"},{"id":«"a"»,"type":"number"}]';
  checkRejected(json, 'duplicate-id', '"a" is already declared; only the first declaration is used');
  checkUsable(json.replace(/[«»]/g, ''), [{ id: 'a', type: 'string' }]);
  // A rejected declaration does not take the id.
  checkUsable('[{"id":"a","type":"object"},{"id":"a","type":"number"}]', [{ id: 'a', type: 'number' }]);
});

test('ignores and reports an invalid field', () => {
  checkIgnored('[{"id":"a","type":"number",«"min":"0"»}]', '"min" must be a number (got a string)');
  checkIgnored(
    '[{"id":"a","type":"string",«"min":0»}]',
    '"min" applies only to number variables, not to type "string"',
  );
  checkIgnored('[{"id":"a","type":"string",«"lable":"A"»}]', 'Unknown field "lable"; did you mean "label"?');
  checkIgnored(
    '[{"id":"a","type":"enum","options":[«{"value":1,"label":"One"}»]}]',
    'An option must be an object with a string "value" and a string "label"',
  );
  checkUsable('[{"id":"a","type":"number","min":"0"}]', [{ id: 'a', type: 'number' }]);
  checkUsable('[{"id":"a","type":"enum","options":[{"value":"x"},{"label":"y"},"z"]}]', [
    { id: 'a', type: 'enum', options: [{ value: 'x', label: 'x' }] },
  ]);
});

test('returns the spans of each part of a valid declaration', () => {
  const { text, spans } = marked(
    `<html data-composition-variables="[«{&quot;id&quot;:«&quot;a&quot;»,«&quot;type&quot;:«&quot;enum&quot;»»,&quot;options&quot;:[«{&quot;value&quot;:&quot;x&quot;}»]}»]">`,
  );
  const [variable] = parseComposition(text).variables.declared;
  expect([
    variable?.span,
    variable?.idSpan,
    variable?.fields.type?.span,
    variable?.fields.type?.valueSpan,
    variable?.optionSpans[0],
  ]).toEqual(spans);
});

test('reports invalid JSON and JSON that is not an array, and declares nothing', () => {
  expect(variablesOf('[{"id":"a","type":"string"}')).toMatchObject({
    declared: [],
    problem: { message: 'Unexpected end of the JSON in data-composition-variables' },
  });
  expect(variablesOf('{"id":"a"}').problem?.message).toBe(
    'data-composition-variables must be a JSON array, [{"id": …}] (got an object)',
  );
  expect(variablesOf('').problem?.message).toBe('data-composition-variables must be JSON (got an empty value)');
});

test('reads declarations on html, or on the root of a fragment or template', () => {
  const ids = (text: string) => parseComposition(text).declarations.map(({ id }) => id);
  const on = (id: string) => `data-composition-variables='[{"id":"${id}","type":"string"}]'`;
  expect(ids(`<html ${on('html')}><body><div data-composition-id="m" ${on('root')}>`)).toEqual(['html']);
  expect(ids(`<html><body><div data-composition-id="m" ${on('root')}>`)).toEqual(['root']);
  expect(ids(`<div data-composition-id="m" ${on('root')}><p ${on('inner')}></p></div>`)).toEqual(['root']);
  expect(ids(`<template><div data-composition-id="m" ${on('root')}></div></template>`)).toEqual(['root']);
  expect(ids(`<html ${on('html')}><body><template><div data-composition-id="m"></div></template>`)).toEqual(['html']);
  expect(ids('<div data-composition-id="m"></div>')).toEqual([]);
});
