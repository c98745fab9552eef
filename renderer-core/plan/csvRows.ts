// Reads the rows of a CSV or TSV file: converts the cells to the declared types, and skips rows and columns of empty cells.
import { indexLines, positionAt } from '../model/text/spans.ts';
import type { VariableDeclaration } from '../model/variables/variables.ts';
import { type BatchProblem, type BatchRow, type BatchRows, broken, collectRows, fileProblem } from './batchRows.ts';
import { type CsvCell, type CsvRecord, type CsvTable, isEmptyCell, readCsvTable, usualSeparator } from './csv.ts';
import { rangesText } from './numberRanges.ts';

export function readCsvRows(
  text: string,
  kind: keyof typeof usualSeparator,
  declarations: readonly VariableDeclaration[],
): BatchRows {
  const table = readCsvTable(text, usualSeparator[kind]);
  const { header, rows, columns, problem } = table;
  if (problem) return broken(problem.message, problem.span);
  if (!header) return broken('The file must start with a line that names the variables', { start: 0, end: 0 });
  const problems = [...separatorProblems(table, header, declarations), ...headerProblems(columns, header)];
  if (problems.length > 0) return { rows: [], problems };
  if (rows.length === 0) return broken('The batch has no rows', header.span);
  const types = new Map(declarations.map(({ id, type }) => [id, type]));
  const found = rows.map((row, index) => rowOf(row, index, header, columns, types));
  return collectRows([...skippedNote(text, table), ...found]);
}

function rowOf(
  { cells, span }: CsvRecord,
  index: number,
  header: CsvRecord,
  columns: CsvTable['columns'],
  types: ReadonlyMap<string, VariableDeclaration['type']>,
): BatchRow | BatchProblem {
  const width = header.cells.length;
  const last = cells.findLastIndex((cell) => !isEmptyCell(cell));
  if (last >= width) {
    const message = `The row has more cells (${last + 1}) than the header (${width})`;
    return { ...fileProblem(message, span), row: index, path: [index] };
  }
  const given = columns.flatMap(({ position, name }) => {
    const cell = cells[position];
    return cell && !hasNoValue(cell, types.get(name)) ? [{ name, cell }] : [];
  });
  const variables = Object.fromEntries(given.map(({ name, cell }) => [name, convertCell(cell.text, types.get(name))]));
  const spans = new Map(given.map(({ name, cell }) => [name, cell.span]));
  const keys = new Map(columns.map(({ position, name }) => [name, header.cells[position]?.span]));
  return {
    ...{ index, span, path: [index], variables },
    spanOf: (key) => spans.get(key) ?? span,
    keySpanOf: (key) => keys.get(key) ?? span,
  };
}

/** Only text can consist of spaces. */
const hasNoValue = (cell: CsvCell, type: VariableDeclaration['type'] | undefined): boolean =>
  type === 'string' ? cell.text === '' : isEmptyCell(cell);

/** Converts a cell. Invalid numbers and booleans stay text, which the check of the values reports. */
function convertCell(text: string, type: VariableDeclaration['type'] | undefined): unknown {
  const trimmed = text.trim();
  if (type === 'number' && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  if (type === 'boolean' && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  return text;
}

const namesOfSeparators: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** Spreadsheets of some countries separate cells by other characters. Each row would have one value that no variable uses. */
function separatorProblems(
  { separator }: CsvTable,
  { cells: [first, ...others] }: CsvRecord,
  declarations: readonly VariableDeclaration[],
): BatchProblem[] {
  const names = namesOfSeparators;
  const isUsed = (one: string) =>
    first?.text.split(one).some((name, _, all) => all.length > 1 && declarations.some(({ id }) => id === name.trim()));
  const used = Object.keys(names).find((one) => one !== separator && isUsed(one));
  if (!first || used === undefined || others.length > 0) return [];
  const expected = names[separator] ?? JSON.stringify(separator);
  const message = `The cells must be separated by ${expected}, but this file uses ${names[used] ?? used}`;
  const fix = used === '\t' ? 'name it .tsv' : `write sep=${used} in a line above the header`;
  return [fileProblem(`${message}; ${fix}`, first.span)];
}

function headerProblems(columns: CsvTable['columns'], { cells }: CsvRecord): BatchProblem[] {
  const seen = new Set<string>();
  return columns.flatMap(({ position, name }) => {
    const { span } = cells[position] as CsvCell;
    const isRepeated = seen.has(name);
    seen.add(name);
    if (name === '')
      return [fileProblem(`Column ${position + 1} has cells with content, but no name in the header`, span)];
    return isRepeated ? [fileProblem(`Duplicate column "${name}" in the header`, span)] : [];
  });
}

/** One note for everything that was skipped. */
function skippedNote(text: string, { skipped: { rows, columns } }: CsvTable): BatchProblem[] {
  const [first] = rows;
  const lines = indexLines(text);
  const lineNumbers = rows.map(({ span }) => positionAt(lines, span.start).line);
  const listed = (numbers: readonly number[]) => rangesText(numbers, ', ', 10);
  const parts = [
    ...(rows.length === 1 ? [`1 row of empty cells (line ${listed(lineNumbers)})`] : []),
    ...(rows.length > 1 ? [`${rows.length} rows of empty cells (lines ${listed(lineNumbers)})`] : []),
    ...(columns.length === 1 ? [`1 column without name and content (column ${(columns[0] ?? 0) + 1})`] : []),
    ...(columns.length > 1
      ? [`${columns.length} columns without name and content (columns ${listed(columns.map((one) => one + 1))})`]
      : []),
  ];
  if (parts.length === 0) return [];
  const span = first?.span ?? { start: 0, end: Math.max(0, text.search(/[\r\n]|$/)) };
  return [{ ...fileProblem(`Skipped ${parts.join(' and ')}`, span), code: 'skipped', severity: 'note' }];
}
