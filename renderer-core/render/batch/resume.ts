// Compares the rows of a batch with the manifest of an earlier run, to find the rows that need not be rendered again.
import type { Engine } from '../../reports/engine.ts';
import { isSameEngine } from '../../setup/pinnedEngine.ts';
import { outputSize } from '../output.ts';
import { canonicalJson, type FileHasher } from './batchInputs.ts';
import type { BatchRequest } from './batchTypes.ts';
import type { ManifestFile, ManifestRow, RecordedFile } from './manifestFile.ts';

/** A row to keep from the earlier run with its files, or the reason to render it. */
export type Comparison = { kept: ManifestRow; files: RecordedFile[] } | { reason: string };

/** `engine`: that of this run. */
export type Earlier = {
  manifest: ManifestFile;
  hash: FileHasher;
  resume: NonNullable<BatchRequest['resume']>;
  engine: Engine;
};

/** Compares all rows. They are identified by their outputs. */
export async function compareRows(rows: readonly ManifestRow[], earlier: Earlier): Promise<Comparison[]> {
  const known = new Map(earlier.manifest.rows.map((row) => [row.output, row]));
  const compared: Comparison[] = [];
  for (const row of rows) compared.push(await compareRow(row, known.get(row.output), earlier));
  return compared;
}

/** The rows at the given positions as an earlier run has left them, if it has ended them. They are identified by their outputs. */
export function recordedRows(
  rows: readonly ManifestRow[],
  positions: readonly number[],
  manifest: ManifestFile,
): Map<number, Extract<Comparison, { kept: ManifestRow }>> {
  const known = new Map(manifest.rows.map((row) => [row.output, row]));
  return new Map(
    positions.flatMap((at) => {
      const before = known.get(rows[at]?.output ?? '');
      if (!before || before.status === 'running') return [];
      return [[at, { kept: { ...before, index: rows[at]?.index ?? at }, files: filesOf(before, manifest) }] as const];
    }),
  );
}

async function compareRow(
  row: ManifestRow,
  known: ManifestRow | undefined,
  { manifest, hash, resume, engine }: Earlier,
): Promise<Comparison> {
  if (!known) return { reason: 'it is new' };
  if (known.status === 'failed') return { reason: 'it failed' };
  if (known.status !== 'completed') return { reason: 'it was not completed' };
  const size = await outputSize(known.output).catch(() => null);
  if (size === null) return { reason: 'the output is missing' };
  // Outputs are always complete, so another size means that the file has been replaced.
  if (size !== known.bytes) return { reason: 'the output was replaced' };
  const files = filesOf(known, manifest);
  if (resume === 'completed') return { kept: { ...known, index: row.index }, files };
  const changes = [
    ...(canonicalJson(row.variables) === canonicalJson(known.variables) ? [] : ['variables changed']),
    ...(await fileChanges(files, hash)),
    ...(known.engine && !isSameEngine(known.engine, engine) ? ['the browser or FFmpeg changed'] : []),
  ];
  // Options depend on the composition, so a change of its file explains theirs.
  if (changes.length === 0 && row.inputs.options !== known.inputs.options) changes.push('options changed');
  return changes.length > 0 ? { reason: summary(changes) } : { kept: { ...known, index: row.index }, files };
}

function filesOf({ inputs }: ManifestRow, manifest: ManifestFile): RecordedFile[] {
  return inputs.files.flatMap((index) => manifest.files[index] ?? []);
}

async function fileChanges(files: readonly RecordedFile[], hash: FileHasher): Promise<string[]> {
  const changes: string[] = [];
  for (const { path, sha256 } of files) {
    const now = (await hash(path))?.sha256 ?? null;
    if (now === sha256) continue;
    changes.push(`${path} ${sha256 === null ? 'was added' : now === null ? 'was deleted' : 'changed'}`);
  }
  return [...new Set(changes)];
}

const shownChanges = 3;

function summary(changes: readonly string[]): string {
  const rest = changes.length - shownChanges;
  return `${changes.slice(0, shownChanges).join(', ')}${rest > 0 ? ` and ${rest} more changes` : ''}`;
}
