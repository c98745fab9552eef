// The extension manifest must match the code and the documentation.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ruleSettings } from '../../scripts/ruleSettings.ts';

const { commands, menus, configuration } = manifest.contributes;

test('has a setting for every lint rule (update with: node --import tsx scripts/ruleSettings.ts)', () => {
  const { properties } = configuration.properties['framework.lint.rules'];
  expect(Object.keys(properties).length).toBeGreaterThan(30);
  expect(properties).toEqual(ruleSettings());
  expect(Object.keys(properties)).toEqual(Object.keys(ruleSettings()));
});

test('restricts settings with program paths in untrusted workspaces', () => {
  const programs = Object.keys(configuration.properties).filter((name) => name.endsWith('Path'));
  expect(programs).toHaveLength(2);
  expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(programs);
});

test('declares every menu command and registers every declared command', () => {
  const known = commands.map(({ command }) => command);
  const inMenus = Object.values(menus).flatMap((menu) => menu.map(({ command }) => command));
  expect(inMenus.filter((command) => !known.includes(command))).toEqual([]);
  const folder = new URL('../../client/', import.meta.url);
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('');
  expect(known.filter((command) => !code.includes(`registerCommand('${command}'`))).toEqual([]);
});

test('documents every setting', () => {
  const page = readFileSync(new URL('../../docs/editor.md', import.meta.url), 'utf8');
  expect(Object.keys(configuration.properties).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
