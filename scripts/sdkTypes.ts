// Completes the types of the SDK in dist/types: writes out those that are inferred from zod schemas, with the descriptions
// of their fields. Programs that use the package do not have zod, so they would see `any`.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** A JSON Schema of draft 7, as zod writes it. */
type Json = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  description?: string;
  items?: Json;
  properties?: Record<string, Json>;
  required?: string[];
  additionalProperties?: Json | false;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
  definitions?: Record<string, Json>;
};

/** The TypeScript type of the values that a schema describes. */
export function typeOf(schema: z.ZodType): string {
  const root = z.toJSONSchema(schema, { target: 'draft-7' }) as Json;
  return print(root, '');

  function print(json: Json, indent: string): string {
    const nested = (one: Json) => print(one, indent);
    if (json.$ref) return nested(root.definitions?.[json.$ref.replace('#/definitions/', '')] ?? {});
    if (json.const !== undefined) return JSON.stringify(json.const);
    const union = json.enum?.map((value) => JSON.stringify(value)) ?? (json.anyOf ?? json.oneOf)?.map(nested);
    if (union) return union.join(' | ');
    if (json.allOf) return json.allOf.map(nested).join(' & ');
    if (json.type === 'array') return `Array<${nested(json.items ?? {})}>`;
    if (json.type !== 'object') return json.type === undefined ? 'unknown' : [json.type].flat().join(' | ');
    if (!json.properties) return `Record<string, ${nested(json.additionalProperties || {})}>`;
    const fields = Object.entries(json.properties).map(([name, field]) => {
      const comment = field.description ? `${indent}  /** ${field.description} */\n` : '';
      const mark = json.required?.includes(name) ? '' : '?';
      return `${comment}${indent}  ${name}${mark}: ${print(field, `${indent}  `)};\n`;
    });
    return `{\n${fields.join('')}${indent}}`;
  }
}

/** Replaces the inferred types of a declaration file. `schemas` are the exports of its module. */
export function writeOut(text: string, schemas: Record<string, unknown>): string {
  const body = text
    .replaceAll(/^(?:\/\*\*.*\*\/\n)?(?:export )?declare const [\s\S]*?;\n(?=[a-z/]|$)/gm, '')
    .replaceAll(/z\.infer<typeof (\w+)>/g, (_, name: string) => {
      if (schemas[name] instanceof z.ZodType) return typeOf(schemas[name]);
      throw new Error(`The SDK has a type that is inferred from ${name}: export that schema`);
    });
  return body.replaceAll(/^import (?:type )?\{ (.*) \} from .*\n/gm, (line, names: string) => {
    const rest = body.replaceAll(/^import .*\n/gm, '');
    return names.split(', ').some((name) => new RegExp(`\\b${name.replace('type ', '')}\\b`).test(rest)) ? line : '';
  });
}

async function completeTypes(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    if (!text.includes("from 'zod'")) continue;
    const source = new URL(`../${name.replaceAll('\\', '/').replace(/\.d\.ts$/, '.ts')}`, import.meta.url);
    await writeFile(path, writeOut(text, await import(source.href)));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await completeTypes('dist/types');
