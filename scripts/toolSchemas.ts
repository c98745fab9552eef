// Writes the descriptions and input schemas of the language model tools in package.json from the table of tools:
// `node --import tsx scripts/toolSchemas.ts`.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { editorInputSchema, toolDefinitions } from '../cli/mcp/toolDefinitions.ts';

const manifest = new URL('../package.json', import.meta.url);

export type EditorTool = { name: string; modelDescription: string; inputSchema: object };

/** The generated fields of each language model tool. */
export function editorTools(): EditorTool[] {
  return toolDefinitions.flatMap((tool) =>
    tool.editor
      ? [{ name: tool.editor.name, modelDescription: tool.description, inputSchema: editorInputSchema(tool) }]
      : [],
  );
}

async function writeManifest(): Promise<void> {
  const content = JSON.parse(await readFile(manifest, 'utf8'));
  const generated = new Map(editorTools().map((tool) => [tool.name, tool]));
  content.contributes.languageModelTools = content.contributes.languageModelTools.map((tool: EditorTool) => ({
    ...tool,
    ...generated.get(tool.name),
  }));
  await writeFile(manifest, `${JSON.stringify(content, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeManifest();
