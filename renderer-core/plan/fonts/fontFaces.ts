// Reads the @font-face rules of npm packages, and writes those of a page.
import type { Metrics } from '../../model/fonts/pinnedFamilies.ts';

/** One @font-face rule. `file` is relative to the package. */
export type FontFile = { style: string; weight: string; file: string; ranges: string };

/** The faces in a style sheet of a font package. All of these have the same form. */
export function readFaces(css: string): FontFile[] {
  return [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].flatMap(([, rule = '']) => {
    const value = (name: string) => new RegExp(`${name}:\\s*([^;]+);`).exec(rule)?.[1]?.trim() ?? '';
    const file = /url\(["']?(?:\.\/)?([^"'()?]+\.woff2)/.exec(rule)?.[1];
    return file === undefined
      ? []
      : [{ style: value('font-style'), weight: value('font-weight'), file, ranges: value('unicode-range') }];
  });
}

/** Names in `@font-face`, by their names for `new FontFace`. */
const descriptorNames = {
  style: 'font-style',
  weight: 'font-weight',
  display: 'font-display',
  unicodeRange: 'unicode-range',
  sizeAdjust: 'size-adjust',
  ascentOverride: 'ascent-override',
  descentOverride: 'descent-override',
  lineGapOverride: 'line-gap-override',
} as const;

export type Descriptors = Partial<Record<keyof typeof descriptorNames, string>>;

/** The descriptors of a face. It blocks, because a frame shows text only in its final font. */
export function descriptorsOf({ style, weight, ranges }: FontFile, metrics?: Metrics): Descriptors {
  return {
    ...{ style, weight, display: 'block' },
    ...(ranges === '' ? {} : { unicodeRange: ranges }),
    ...(metrics ? scaled(metrics) : {}),
  };
}

/** The browser scales ascent, descent and line gap like the characters. */
function scaled({ width = 1, ascent, descent, lineGap = 0 }: Metrics): Descriptors {
  const percent = (part: number) => `${Number((part * 100).toFixed(3))}%`;
  return {
    ...(width === 1 ? {} : { sizeAdjust: percent(width) }),
    ascentOverride: percent(ascent / width),
    descentOverride: percent(descent / width),
    lineGapOverride: percent(lineGap / width),
  };
}

export function faceRule(name: string, descriptors: Descriptors, url: string): string {
  const lines = Object.entries(descriptors).map(
    ([key, value]) => `${descriptorNames[key as keyof Descriptors]}:${value};`,
  );
  return `@font-face{font-family:"${name}";${lines.join('')}src:url("${url}")}`;
}
