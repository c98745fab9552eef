// The attribute table: each name once, each documented, and no second place that writes a name.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { attr, attributeSpec, attributeSpecs } from '../../../renderer-core/model/attributes.ts';

test('lists every name once with documentation', () => {
  const names = Object.values(attr);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(attributeSpecs).sort()).toEqual(Object.keys(attr).sort());
  for (const { doc, on } of Object.values(attributeSpecs)) {
    expect(doc).toMatch(/^[A-Z`].*\.$/);
    expect(on.length).toBeGreaterThan(0);
  }
});

test('contains every documented attribute', () => {
  const contract =
    'composition-variables composition-id composition-src variable-values width height fps duration poster-time start track-index has-audio color-grading media-start playback-rate volume var-text var-src';
  expect(contract.split(' ').filter((name) => !attributeSpec(`data-${name}`))).toEqual([]);
  expect(attributeSpec('data-unknown')).toBeUndefined();
});

test('is the only file of the model that contains attribute names', () => {
  const folder = new URL('../../../renderer-core/model/', import.meta.url);
  const offenders = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    if (file === 'attributes.ts' || !file.endsWith('.ts')) return false;
    const code = readFileSync(new URL(file, folder), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return /['"`[]data-[a-z]/.test(code);
  });
  expect(offenders).toEqual([]);
});
