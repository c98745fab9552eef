// Writes the linter's rules into the manifest, as the settings of the editor: `node --import tsx scripts/ruleSettings.ts`.
// Their sentences go to package.nls.json, where all sentences of the manifest are.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type Rule, rules } from '../renderer-core/lint/ruleTable.ts';

export const levels = ['off', 'hint', 'info', 'warning', 'error'] as const;

type RuleSetting = { type: 'string'; enum: readonly string[]; markdownDescription: string };
type Shown = Pick<Rule, 'id' | 'title' | 'severity'>;

const prefix = 'setting.lint.rules.';

/** One property for each rule of the table, in its order. */
export function ruleSettings(table: readonly Shown[] = rules): Record<string, RuleSetting> {
  return Object.fromEntries(
    table.map(({ id }) => [id, { type: 'string', enum: levels, markdownDescription: `%${prefix}${id}%` }]),
  );
}

/** What the properties say, by their keys in package.nls.json. */
export function ruleSentences(table: readonly Shown[] = rules): Record<string, string> {
  return Object.fromEntries(
    table.map(({ id, title, severity }) => [prefix + id, `${title}. Default: \`${severity}\`.`]),
  );
}

/** Changes the file `name` of the repository's folder. */
async function rewrite(name: string, change: (content: never) => unknown): Promise<void> {
  const path = new URL(`../${name}`, import.meta.url);
  const changed = change(JSON.parse(await readFile(path, 'utf8')) as never);
  await writeFile(path, `${JSON.stringify(changed, null, 2)}\n`);
}

async function writeSettings(): Promise<void> {
  type Manifest = { contributes: { configuration: { properties: Record<string, { properties?: unknown }> } } };
  await rewrite('package.json', (manifest: Manifest) => {
    const setting = manifest.contributes.configuration.properties['framework.lint.rules'];
    if (setting) setting.properties = ruleSettings();
    return manifest;
  });
  await rewrite('package.nls.json', (sentences: Record<string, string>) => {
    const entries = Object.entries(sentences);
    const at = entries.findIndex(([key]) => key.startsWith(prefix));
    const others = entries.filter(([key]) => !key.startsWith(prefix));
    return Object.fromEntries(others.toSpliced(at, 0, ...Object.entries(ruleSentences())));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeSettings();
