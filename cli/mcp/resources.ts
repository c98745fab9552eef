// MCP resources: the documentation, and the compositions in the allowed folders.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describeProject } from '../../renderer-core/describeProject.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { decodeFile } from '../../renderer-core/project/decodeFile.ts';
import { readDocs } from '../../renderer-core/project/packageDocs.ts';
import type { Folders } from './folders.ts';
import type { ToolContext } from './tool.ts';

export async function registerResources(server: McpServer, context: ToolContext): Promise<void> {
  for (const { name, title, text } of await readDocs()) {
    const uri = `framework://docs/${name}`;
    const about = { title, description: `Documentation: ${title}`, mimeType: 'text/markdown' };
    server.registerResource(`docs/${name}`, uri, about, async () => ({
      contents: [{ uri, mimeType: 'text/markdown', text }],
    }));
  }
  const template = new ResourceTemplate('file:///{+path}', {
    list: async () => ({ resources: await listCompositions(context.folders) }),
  });
  const about = { title: 'Compositions', description: 'HTML files of the compositions', mimeType: 'text/html' };
  server.registerResource('compositions', template, about, async (uri) => {
    const path = await context.folders.inside(fileURLToPath(uri));
    if (!/\.html?$/i.test(path)) throw new Error(`${path} is not a composition: its name must end in .html`);
    return { contents: [{ uri: uri.href, mimeType: 'text/html', text: decodeFile(await readFile(path), path) }] };
  });
}

/** The compositions of all allowed folders. Folders that do not exist, or have no compositions, are skipped. */
export async function listCompositions(folders: Folders, describe: typeof describeProject = describeProject) {
  const all = await Promise.all(
    folders.list().map(async (folder) => {
      const description = await describe(folder).catch(ignoreNotFound);
      return (description?.compositions ?? []).map(({ file, width, height, duration }) => ({
        path: join(folder, file),
        name: file,
        description: `${width ?? '?'}x${height ?? '?'}${duration === null ? '' : `, ${duration} s`}`,
      }));
    }),
  );
  const inside = await Promise.all(all.flat().map(async (one) => ((await folders.isInside(one.path)) ? [one] : [])));
  return inside.flat().map(({ path, name, description }) => ({
    uri: pathToFileURL(path).href,
    name,
    description,
    mimeType: 'text/html',
  }));
}

function ignoreNotFound(error: unknown): undefined {
  const isNotFound = error instanceof UserError && ['project_not_found', 'composition_not_found'].includes(error.code);
  if (!isNotFound) throw error;
}
