// Handles the language server's file requests through VS Code's file system, which also covers virtual workspaces.
import { FileType, Uri, workspace } from 'vscode';
import type { ClientRequests } from '../../server/protocol.ts';

type ReadFile = ClientRequests['framework/readFile'];
type ListFiles = ClientRequests['framework/listFiles'];

/** Null when the file does not exist, cannot be read or is too large. */
export async function readFile({ uri, maxBytes }: ReadFile['params']): Promise<ReadFile['result']> {
  try {
    const file = Uri.parse(uri, true);
    const { type, size } = await workspace.fs.stat(file);
    if ((type & FileType.File) === 0 || size > maxBytes) return null;
    return base64(await workspace.fs.readFile(file));
  } catch {
    return null;
  }
}

/** Breadth first, so that the limit omits the most deeply nested files. */
export async function listFiles({ uri, skip, limit }: ListFiles['params']): Promise<ListFiles['result']> {
  const root = Uri.parse(uri, true);
  const paths: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await entriesOf(folder === '' ? root : Uri.joinPath(root, folder));
    for (const [name, type] of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      // Links to folders are skipped: they can form a cycle.
      if (type === FileType.Directory && !name.startsWith('.') && !skip.includes(name)) folders.push(path);
      if ((type & FileType.File) !== 0) {
        if (paths.length >= limit) return { paths, isComplete: false };
        paths.push(path);
      }
    }
  }
  return { paths, isComplete: true };
}

async function entriesOf(folder: Uri): Promise<[string, FileType][]> {
  try {
    return await workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}

/** Bytes per `fromCharCode` call: its arguments must fit on the stack. */
const chunkLength = 0x8000;

/** `Buffer` does not exist in VS Code for the Web; `btoa` does. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunkLength) {
    text += String.fromCharCode(...bytes.subarray(at, at + chunkLength));
  }
  return btoa(text);
}
