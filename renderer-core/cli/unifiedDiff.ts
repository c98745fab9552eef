// The difference between two texts as `diff -u` shows it.

/** Lines around a change that are shown with it. */
const context = 3;

type Step = { kind: ' ' | '-' | '+'; line: string };

/** The hunks with their head, or nothing where the texts are the same. Lines keep their own ends but for the line feed. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const steps = compare(linesOf(before), linesOf(after));
  const hunks = hunksOf(steps);
  if (hunks.length === 0) return '';
  return [`--- a/${file}`, `+++ b/${file}`, ...hunks].join('\n').concat('\n');
}

/** What stands behind the last line feed is a line only if there is anything. */
const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** Equal lines at both ends, and between them the shortest way by Myers' algorithm. */
function compare(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const same = (lines: readonly string[]): Step[] => lines.map((line) => ({ kind: ' ', line }));
  return [
    ...same(before.slice(0, start)),
    ...shortestWay(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

/** Beyond this many changed lines the middle is shown as replaced whole. */
const mostChanges = 1000;

function shortestWay(before: readonly string[], after: readonly string[]): Step[] {
  // How far each diagonal `x - y` leads after so many changes; one map for each number of changes.
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let changes = 0; changes <= mostChanges; changes++) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = isDown(furthest, diagonal, changes)
        ? (furthest.get(diagonal + 1) ?? 0)
        : (furthest.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(trace, before, after);
    }
    furthest = next;
  }
  return [...before.map((line): Step => ({ kind: '-', line })), ...after.map((line): Step => ({ kind: '+', line }))];
}

function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (furthest.get(diagonal - 1) ?? 0) < (furthest.get(diagonal + 1) ?? 0);
}

function walkBack(trace: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): Step[] {
  const steps: Step[] = [];
  let x = before.length;
  let y = after.length;
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const furthest = trace[changes] ?? new Map();
    const diagonal = x - y;
    const from = isDown(furthest, diagonal, changes) ? diagonal + 1 : diagonal - 1;
    const fromX = furthest.get(from) ?? 0;
    const fromY = fromX - from;
    for (; x > fromX && y > fromY && x > 0 && y > 0; y--) steps.push({ kind: ' ', line: before[--x] ?? '' });
    if (changes === 0) break;
    if (x === fromX) steps.push({ kind: '+', line: after[--y] ?? '' });
    else steps.push({ kind: '-', line: before[--x] ?? '' });
  }
  return steps.reverse();
}

function hunksOf(steps: readonly Step[]): string[] {
  const lines: string[] = [];
  const changed = steps.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]));
  for (let i = 0; i < changed.length; ) {
    const first = changed[i] ?? 0;
    let last = first;
    while (i < changed.length && (changed[i] ?? 0) - last <= 2 * context + 1) last = changed[i++] ?? last;
    const from = Math.max(0, first - context);
    const hunk = steps.slice(from, last + context + 1);
    const count = (kind: Step['kind'], list: readonly Step[]) => list.filter((step) => step.kind !== kind).length;
    const head = steps.slice(0, from);
    const oldLines = count('+', hunk);
    const newLines = count('-', hunk);
    lines.push(`@@ -${count('+', head) + 1},${oldLines} +${count('-', head) + 1},${newLines} @@`);
    lines.push(...hunk.map(({ kind, line }) => kind + line));
  }
  return lines;
}
