// All texts of the extension must be translatable: they are in package.nls.json and l10n/bundle.l10n.json.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import bundle from '../../l10n/bundle.l10n.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import sentences from '../../package.nls.json' with { type: 'json' };
import { ruleSentences } from '../../scripts/ruleSettings.ts';
import { stringsOf } from '../../scripts/strings.mjs';
import { proseIn } from '../support/editor/proseIn.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const client = `${root}client/`;

/** Every string of the manifest with the path of keys to it. */
function texts(value: unknown, path: readonly string[] = []): [path: readonly string[], text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => texts(below, [...path, key]));
}
const keyIn = (text: string): string | undefined => /^%([\w.-]+)%$/.exec(text)?.[1];

test('has exactly the %keys% of the manifest in package.nls.json', () => {
  const { capabilities, contributes } = manifest;
  const used = new Set(texts({ capabilities, contributes }).flatMap(([, text]) => keyIn(text) ?? []));
  expect([...used, 'description'].sort()).toEqual(Object.keys(sentences).sort());
});

test('finds no literal texts for users in the manifest', () => {
  const shown = /^(?:title|shortTitle|category|label|name|description|\w*Description|contents|altText|displayName)$/;
  const forPrograms = /^(?:problem(?:Patterns|Matchers) \d+ name)/;
  const literal = texts(manifest.contributes).filter(([path, text]) => {
    const [all, last] = [path.join(' '), path.findLast((key) => !/^\d+$/.test(key)) ?? ''];
    return shown.test(last) && !forPrograms.test(all) && keyIn(text) === undefined;
  });
  // The product name is not translated.
  expect(literal.filter(([, text]) => text !== manifest.displayName)).toEqual([]);
});

test('has the same description for npm and VS Code', () => {
  expect(sentences.description).toBe(manifest.description);
});

test('uses the titles of the lint rules (update with: node --import tsx scripts/ruleSettings.ts)', () => {
  expect(sentences).toMatchObject(ruleSentences());
});

// Parsing the sources takes half a minute.
test('has the texts of the sources in the bundle (update with: npm run strings)', { timeout: 300_000 }, async () => {
  expect(`${JSON.stringify(bundle, null, 2)}\n`).toBe(await stringsOf(root));
  expect(Object.keys(bundle).length).toBeGreaterThan(300);
  expect(existsSync(`${root}${manifest.l10n}/bundle.l10n.json`)).toBe(true);
});

/** Strings that look like text but are code. */
const code = [
  // The product name, and names of settings.
  /^Framework$|^…Path$/,
  // Command lines, and lines of a terminal that the problem matcher reads.
  /^framework \w|^… \| …|^(?:error|hint): /,
  // Markup, policies, CSS classes and context words for menus.
  /^<|^(?:script|style|img|font|frame)-src |^allow-scripts |^(?:icon-button|control|field|icon|group|record|entry|row|cell) [\w…]/,
  /^…-hint …-problem$|^… embedded$/,
  // Regular expressions.
  /\\b$/,
];

test('passes every text of the client to l10n.t', () => {
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((name) => proseIn(readFileSync(client + name, 'utf8')).map((text) => `${name}: ${text}`));
  const isCode = (line: string) => code.some((one) => one.test(line.slice(line.indexOf(': ') + 2)));
  expect(files.length).toBeGreaterThan(80);
  expect(found.filter((line) => !isCode(line))).toEqual([]);
});

test('finds a text that is not passed to l10n.t (control)', () => {
  const source = `
    import { l10n, window } from 'vscode';
    window.showErrorMessage(\`\${name} is no composition.\`, l10n.t('Show Log'));
    item.title = 'Restart';
    item.tooltip = l10n.t('{0} is there.', given ?? 'the composition');
    tools.log.warn('The server did not stop.');
    if (key === 'Enter') run('framework.render', l10n.t(isOne ? 'One row' : 'Many rows'));
  `;
  const untranslated = ['… is no composition.', 'Restart', 'the composition', 'One row', 'Many rows'];
  expect(proseIn(source)).toEqual(untranslated);
});
