// Writes the linter's rules into the manifest, as the settings of the editor: `node --import tsx scripts/ruleSettings.ts`.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type Rule, rules } from '../renderer-core/lint/rules.ts';

export const levels = ['off', 'hint', 'info', 'warning', 'error'] as const;

type RuleSetting = { type: 'string'; enum: readonly string[]; markdownDescription: string };

/** One property for each rule of the table, in its order. */
export function ruleSettings(
  table: readonly Pick<Rule, 'id' | 'title' | 'severity'>[] = rules,
): Record<string, RuleSetting> {
  return Object.fromEntries(
    table.map(({ id, title, severity }) => [
      id,
      { type: 'string', enum: levels, markdownDescription: `${title}. Default: \`${severity}\`.` },
    ]),
  );
}

async function writeManifest(): Promise<void> {
  const path = new URL('../package.json', import.meta.url);
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  manifest.contributes.configuration.properties['framework.lint.rules'].properties = ruleSettings();
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeManifest();
