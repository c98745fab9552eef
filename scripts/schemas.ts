// Writes docs/schemas from the schema table: `node --import tsx scripts/schemas.ts`.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { jsonSchemaOf, schemas } from '../cli/schemas/schemaTable.ts';

const folder = new URL('../docs/schemas/', import.meta.url);

/** The contents of all files, by name. */
export function schemaFiles(): Map<string, string> {
  return new Map(schemas.map((row) => [`${row.name}.json`, `${JSON.stringify(jsonSchemaOf(row), null, 2)}\n`]));
}

async function writeSchemas(): Promise<void> {
  const files = schemaFiles();
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (!files.has(name)) await rm(fileURLToPath(new URL(name, folder)));
  for (const [name, text] of files) await writeFile(new URL(name, folder), text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeSchemas();
