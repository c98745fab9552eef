// Rules for the declarations of variables.
import { test } from 'vitest';
import { check } from './lint.ts';

/** A composition with these declarations, in single quotes. */
const page = (declarations: string) =>
  `<html data-composition-variables='${declarations}'><div data-composition-id="a"></div></html>`;
const fixes = (all: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).map(([title, declarations]) => [title, page(declarations)]));

test('broken JSON', () => {
  check(page('[{"id":"a",«]»'), 'invalid-declarations', {
    findings: ['error invalid-declarations: Nothing follows this comma; remove it before ]'],
  });
});

test('a missing label comes from the id', () => {
  check(page('[{"id":«"titleColor"»,"type":"color","default":"#ffffff"}]'), 'missing-label', {
    findings: ['error missing-label: Variable "titleColor" has no "label"'],
    fixes: fixes({
      'Add "label": "Title color" *': '[{"id":"titleColor","type":"color","default":"#ffffff","label":"Title color"}]',
    }),
  });
});

test('a missing default is plain, and what a script falls back to where one does', () => {
  check(page('[{"id": «"size"», "type": "number", "label": "Size", "min": 8}]'), 'missing-default', {
    findings: ['error missing-default: Variable "size" has no "default"'],
    fixes: fixes({
      'Add "default": 8': '[{"id": "size", "type": "number", "label": "Size", "min": 8, "default": 8}]',
    }),
  });
  const script = `<script>const { size = 12 } = __framework.getVariables()</script>`;
  check(`${page('[{"id":«"size"»,"type":"number","label":"Size"}]')}${script}`, 'missing-default', {
    findings: ['error missing-default: Variable "size" has no "default"'],
    fixes: {
      'Add "default": 12 *': `${page('[{"id":"size","type":"number","label":"Size","default":12}]')}${script}`,
    },
  });
});
