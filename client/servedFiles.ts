// Answers the language server's questions about files that only the editor can read, such as those of virtual workspaces.
import { FileType, Uri, workspace } from 'vscode';
import type { ClientRequests } from '../server/protocol.ts';

type ReadFile = ClientRequests['framework/readFile'];
type ListFiles = ClientRequests['framework/listFiles'];

/** Null for what is not there, cannot be read or is too large. */
export async function readFile({ uri, as, maxBytes }: ReadFile['params']): Promise<ReadFile['result']> {
  try {
    const file = Uri.parse(uri, true);
    const { type, size } = await workspace.fs.stat(file);
    if ((type & FileType.File) === 0 || size > maxBytes) return null;
    const bytes = await workspace.fs.readFile(file);
    return as === 'text' ? new TextDecoder().decode(bytes) : base64(bytes);
  } catch {
    return null;
  }
}

/** Folder by folder, the ones near the top first, so that a limit leaves out what lies deep. */
export async function listFiles({ uri, skip, limit }: ListFiles['params']): Promise<ListFiles['result']> {
  const root = Uri.parse(uri, true);
  const paths: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await entriesOf(folder === '' ? root : Uri.joinPath(root, folder));
    for (const [name, type] of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      // A link to a folder may lead in circles.
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

const pieceLength = 0x8000;

/** `btoa` is in every host; it takes a string, which is put together in pieces that fit on the stack. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceLength) {
    text += String.fromCharCode(...bytes.subarray(at, at + pieceLength));
  }
  return btoa(text);
}
