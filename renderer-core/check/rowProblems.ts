// What values of a row change: which frames show its texts, and texts that need more lines than with the default values. Pure.
import { boxAround } from './boxes.ts';
import type { Problem } from './findings.ts';
import type { SeenText } from './sight.ts';
import type { Walked } from './walkPage.ts';

/** The fewest frames that show every text standing still that the default values show so. */
export function framesForRows({ texts, plan }: Pick<Walked, 'texts' | 'plan'>): number[] {
  const left = new Set(texts.flatMap(({ texts: seen }) => seen.map(({ key }) => key)));
  const frames: number[] = [];
  while (left.size > 0) {
    let best = { frame: 0, keys: [] as number[] };
    for (const { frame, texts: seen } of texts) {
      const keys = seen.map(({ key }) => key).filter((key) => left.has(key));
      if (keys.length > best.keys.length) best = { frame, keys };
    }
    for (const key of best.keys) left.delete(key);
    frames.push(best.frame);
  }
  // Something is looked at even in a video without text.
  return frames.length > 0 ? frames.sort((a, b) => a - b) : [Math.floor(plan.frames / 2)];
}

export function compareRow(row: Pick<Walked, 'texts'>, defaults: Pick<Walked, 'texts'>): Problem[] {
  const most = new Map<string, number>();
  for (const text of defaults.texts.flatMap(({ texts }) => texts)) {
    const known = most.get(placeOf(text)) ?? 0;
    most.set(placeOf(text), Math.max(known, text.lines.length));
  }
  return row.texts.flatMap(({ frame, texts }) =>
    texts.flatMap((text): Problem[] => {
      const before = most.get(placeOf(text));
      if (before === undefined || text.lines.length <= before || text.isTurned) return [];
      const lines = before === 1 ? 'one line' : `${before} lines`;
      const message = `“${text.text}” needs ${text.lines.length} lines instead of ${lines}`;
      return [
        {
          check: 'more-lines',
          source: text.source,
          message,
          frame,
          box: boxAround(text.lines),
          weight: text.lines.length,
        },
      ];
    }),
  );
}

const placeOf = ({ source, name }: SeenText): string => `${source} ${name}`;
