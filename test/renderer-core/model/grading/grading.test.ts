// Color grading: what an author may write, and the numbers that come of it.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseComposition } from '../../../../renderer-core/model/composition.ts';
import { lookOf, readGradingSettings, resolveGrading } from '../../../../renderer-core/model/grading/grading.ts';
import { adjustLimits, gradingPresets } from '../../../../renderer-core/model/grading/gradingPresets.ts';
import {
  type GradingStep,
  gradingSteps,
  saturationMatrix,
} from '../../../../renderer-core/model/grading/gradingSteps.ts';
import { mark, marked } from '../../../support/editor/markup.ts';

const nothing = { preset: 'neutral', intensity: 1, adjust: {}, colorSpace: 'srgb' };

describe('settings', () => {
  const check = (value: unknown, settings: object, messages: string[] = []) => {
    const read = readGradingSettings(value);
    expect(read.settings).toEqual({ ...nothing, ...settings });
    expect(read.problems.map(({ message }) => message)).toEqual(messages);
  };

  test('uses defaults for missing fields', () => {
    check({}, {});
    check({ preset: 'noir', intensity: 0.5 }, { preset: 'noir', intensity: 0.5 });
    check({ adjust: { exposure: -5, tint: 1 } }, { adjust: { exposure: -5, tint: 1 } });
    check({ colorSpace: 'linear' }, { colorSpace: 'linear' });
    check({ colorSpace: 'rec709' }, { colorSpace: 'srgb' });
  });

  test('clamps a number out of range', () => {
    check({ intensity: 80 }, { intensity: 1 }, ['intensity must be a number from 0 to 1 (got 80)']);
    check({ adjust: { contrast: -20 } }, { adjust: { contrast: -1 } }, [
      'adjust.contrast must be a number from -1 to 1 (got -20)',
    ]);
    check({ adjust: { exposure: 9 } }, { adjust: { exposure: 5 } }, [
      'adjust.exposure must be a number from -5 to 5 (got 9)',
    ]);
  });

  test('ignores invalid values', () => {
    check({ preset: 'Vivd', intensity: '1' }, {}, [
      'unknown preset "Vivd"; did you mean "vivid"?',
      'intensity must be a number from 0 to 1 (got "1")',
    ]);
    check({ colorSpace: 'aces' }, {}, ['unknown colorSpace "aces"; use srgb, rec709, linear']);
    check({ presets: 'noir', adjust: { expsure: 1 } }, {}, [
      'unknown field presets; did you mean "preset"?',
      'unknown field adjust.expsure; did you mean "exposure"?',
    ]);
    check({ adjust: [1] }, {}, ['adjust must be an object (got an array)']);
    check('vivid', {}, ['the grading must be an object (got "vivid")']);
    check({ preset: 'toString', __proto__: { intensity: 0 } }, {}, [
      'unknown preset "toString"; use neutral, warm, cool, cinematic, noir, vintage, faded, vivid, bleach-bypass, golden-hour, moonlight',
    ]);
  });

  test('any value results in settings in range', () => {
    const value = fc.oneof(fc.jsonValue(), fc.double(), fc.constantFrom('$a', 'noir', undefined));
    const field = fc.constantFrom('preset', 'intensity', 'adjust', 'colorSpace', ...Object.keys(adjustLimits));
    const object = fc.dictionary(field, fc.oneof(value, fc.dictionary(field, value)));
    fc.assert(
      fc.property(fc.oneof(value, object), (any) => {
        const { settings } = readGradingSettings(any);
        expect(settings.intensity).toBeGreaterThanOrEqual(0);
        expect(settings.intensity).toBeLessThanOrEqual(1);
        for (const [key, amount] of Object.entries(settings.adjust))
          expect(Math.abs(amount)).toBeLessThanOrEqual(adjustLimits[key as keyof typeof adjustLimits]);
        expect(settings.preset in gradingPresets).toBe(true);
      }),
    );
  });
});

describe('references', () => {
  const value = { preset: '$look', intensity: `\${ much }`, adjust: { exposure: '$ev', tint: 0.1 } };

  test('are replaced by the variables of an instance', () => {
    const { settings, problems } = resolveGrading(value, { look: 'warm', much: 0.5, ev: 2 });
    expect(settings).toEqual({ ...nothing, preset: 'warm', intensity: 0.5, adjust: { exposure: 2, tint: 0.1 } });
    expect(problems).toEqual([]);
  });

  test('are ignored if the variable is unknown', () => {
    const { settings, problems } = resolveGrading(value, { much: 0.5 });
    expect(settings).toEqual({ ...nothing, intensity: 0.5, adjust: { tint: 0.1 } });
    expect(problems.map(({ message }) => message)).toEqual([
      'preset refers to the unknown variable "look" and is ignored',
      'adjust.exposure refers to the unknown variable "ev" and is ignored',
    ]);
  });

  test('keep the type of their value', () => {
    const { settings, problems } = resolveGrading({ intensity: '$much' }, { much: '0.5' });
    expect(settings).toEqual(nothing);
    expect(problems.map(({ message }) => message)).toEqual(['intensity must be a number from 0 to 1 (got "0.5")']);
  });

  test('can replace a whole object', () => {
    expect(resolveGrading({ adjust: '$a' }, { a: { contrast: 0.5 } }).settings.adjust).toEqual({ contrast: 0.5 });
  });
});

test('reports problems at their position, also after character references', () => {
  const markup = `<div data-composition-id="m">
<img data-color-grading='{"preset":«"nior"», "adjust":{"tint":«2», "hue":«[1]», "contrast":"$c"}}'>
<img data-color-grading="{&quot;intensity&quot;:«&quot;x&quot;», &quot;adjust&quot;:«3»}"></div>`;
  const { text } = marked(markup);
  const { problems, gradings } = parseComposition(text);
  expect(
    mark(
      text,
      problems.map(({ span }) => span),
    ),
  ).toBe(markup);
  expect(new Set(problems.map(({ code, severity }) => `${code} ${severity}`))).toEqual(
    new Set(['invalid-grading warning']),
  );
  expect(problems[0]?.message).toBe('data-color-grading: unknown preset "nior"; did you mean "noir"?');
  expect(gradings.map(({ settings }) => settings)).toEqual([{ ...nothing, adjust: { tint: 1 } }, nothing]);
});

describe('looks', () => {
  const look = (value: unknown) => lookOf(readGradingSettings(value).settings);
  const zero = { exposure: 0, contrast: 0, highlights: 0, shadows: 0, whites: 0, blacks: 0 };
  const none = { ...zero, temperature: 0, tint: 0, vibrance: 0, saturation: 0 };

  test('overrides a field of the preset with that of adjust', () => {
    const { adjust } = look({ preset: 'noir', adjust: { contrast: 0, tint: 0.5 } });
    expect(adjust).toEqual({ ...none, tint: 0.5, highlights: 0.1, blacks: -0.25, saturation: -1 });
  });

  test('scales preset and adjust with intensity', () => {
    const { adjust, darkTint } = look({ preset: 'cinematic', intensity: 0.5, adjust: { exposure: 2 } });
    expect(adjust).toEqual({ ...none, exposure: 1, contrast: 0.09, highlights: -0.05, saturation: -0.03 });
    expect(darkTint).toEqual([-0.02, 0.005, 0.0225]);
  });

  test('documents every preset', () => {
    const docs = readFileSync(new URL('../../../../docs/compositions.md', import.meta.url), 'utf8');
    const rows = [...docs.matchAll(/^\| `([a-z-]+)` +\|[^|]*\|$/gm)].map((match) => match[1]);
    expect(rows).toEqual(Object.keys(gradingPresets));
  });
});

describe('steps', () => {
  const steps = (value: unknown): GradingStep[] => gradingSteps(lookOf(readGradingSettings(value).settings));
  /** What some values of the red, green and blue channel become. */
  const tables = (value: unknown, inputs: number[]) => {
    const [step] = steps(value);
    if (step?.kind !== 'tables') throw new Error('no tables');
    return step.channels.map((channel) => inputs.map((input) => channel[input]));
  };
  const all = (value: unknown, inputs: number[]) => {
    const [red, green, blue] = tables(value, inputs);
    expect([green, blue]).toEqual([red, red]);
    return red;
  };

  test('returns no steps if there is nothing to do', () => {
    expect(steps({})).toEqual([]);
    expect(steps({ colorSpace: 'linear' })).toEqual([]);
    for (const preset of Object.keys(gradingPresets)) {
      expect(steps({ preset, intensity: 0, adjust: { exposure: 3 } })).toEqual([]);
      expect(steps({ preset }).length > 0).toBe(preset !== 'neutral');
    }
  });

  test('doubles the light for each stop of exposure, in both color spaces', () => {
    // 188 is half the light of 255, and 92 of 128.
    expect(all({ adjust: { exposure: 1 } }, [0, 60, 92, 188, 255])).toEqual([0, 85, 128, 255, 255]);
    expect(all({ adjust: { exposure: -1 } }, [0, 128, 255])).toEqual([0, 92, 188]);
    expect(all({ adjust: { exposure: 1 }, colorSpace: 'linear' }, [0, 60, 92, 255])).toEqual([0, 85, 128, 255]);
  });

  test('doubles the distance from middle grey with a contrast of 1, and halves it with -1', () => {
    expect(all({ adjust: { contrast: 1 } }, [0, 64, 100, 128, 160, 255])).toEqual([0, 0, 73, 129, 193, 255]);
    expect(all({ adjust: { contrast: -1 } }, [0, 100, 255])).toEqual([64, 114, 191]);
    // The middle of the light, 0.214 of white, is the same grey.
    expect(all({ adjust: { contrast: 1 }, colorSpace: 'linear' }, [0, 128, 255])).toEqual([0, 128, 255]);
  });

  test('moves only its own end of the range with each tone control', () => {
    const inputs = [0, 64, 128, 192, 255];
    expect(all({ adjust: { blacks: 1 } }, inputs)).toEqual([38, 80, 133, 193, 255]);
    expect(all({ adjust: { whites: -1 } }, inputs)).toEqual([0, 63, 123, 176, 217]);
    expect(all({ adjust: { shadows: 1 } }, inputs)).toEqual([0, 93, 153, 201, 255]);
    expect(all({ adjust: { highlights: -1 } }, inputs)).toEqual([0, 54, 102, 163, 255]);
  });

  test('clips overexposed values at white', () => {
    expect(all({ adjust: { exposure: 1, whites: -1 } }, [188, 255])).toEqual([217, 255]);
  });

  test('moves red against blue with temperature and green against both with tint, and keeps the brightness of white', () => {
    const light = (value: number) => (value / 255) ** 2.2;
    const brightness = ([[red = 0] = [], [green = 0] = [], [blue = 0] = []]: (number | undefined)[][]) =>
      0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);
    expect(tables({ adjust: { temperature: 1 } }, [128])).toEqual([[146], [124], [106]]);
    expect(tables({ adjust: { temperature: -1 } }, [128])).toEqual([[111], [130], [152]]);
    expect(tables({ adjust: { tint: 1 } }, [128])).toEqual([[143], [122], [143]]);
    for (const adjust of [{ temperature: 1 }, { tint: -1 }, { temperature: -0.5, tint: 0.5 }])
      expect(brightness(tables({ adjust }, [128]))).toBeCloseTo(light(128), 2);
  });

  /** A color after the steps, as a browser computes it; `linear` matrices are not needed here. */
  const apply = (value: unknown, color: number[]): number[] =>
    steps(value).reduce((rgb, step) => {
      if (step.kind === 'tables') return rgb.map((channel, index) => step.channels[index]?.[Math.round(channel)] ?? -1);
      const row = (at: number) => [0, 1, 2, 4].map((column) => step.matrix[at + column] ?? 0);
      return [0, 5, 10].map((at) => {
        const [red = 0, green = 0, blue = 0, constant = 0] = row(at);
        const [r = 0, g = 0, b = 0] = rgb;
        return Math.max(0, Math.min(255, red * r + green * g + blue * b + 255 * constant));
      });
    }, color);
  const rounded = (value: unknown, color: number[]) => apply(value, color).map(Math.round);
  const luma = ([red = 0, green = 0, blue = 0]: number[]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

  test('scales the distance from the grey of the same brightness with saturation', () => {
    expect(rounded({ adjust: { saturation: -1 } }, [255, 0, 0])).toEqual([54, 54, 54]);
    expect(rounded({ adjust: { saturation: -1 } }, [0, 255, 0])).toEqual([182, 182, 182]);
    expect(rounded({ adjust: { saturation: 1 } }, [110, 100, 90])).toEqual([119, 99, 79]);
    expect(steps({ adjust: { saturation: -0.5 }, colorSpace: 'linear' })).toEqual([
      { kind: 'matrix', matrix: saturationMatrix(0.5), space: 'linear' },
    ]);
  });

  test('changes dull colors most with vibrance', () => {
    expect(rounded({ adjust: { vibrance: 1 } }, [110, 100, 90])).toEqual([117, 99, 79]);
    expect(rounded({ adjust: { vibrance: -1 } }, [110, 100, 90])).toEqual([101, 101, 101]);
    expect(rounded({ adjust: { vibrance: 1 } }, [0, 0, 255])).toEqual([0, 5, 255]);
    expect(rounded({ adjust: { vibrance: 1 } }, [255, 0, 0])).toEqual([255, 4, 0]);
  });

  test('keeps grays, and the luminance where nothing clips', () => {
    const amount = fc.double({ min: -1, max: 1, noNaN: true });
    const channel = fc.integer({ min: 0, max: 255 });
    const middle = fc.integer({ min: 110, max: 145 });
    fc.assert(
      fc.property(amount, amount, channel, middle, middle, middle, (saturation, vibrance, grey, r, g, b) => {
        const grading = { adjust: { saturation, vibrance } };
        expect(rounded(grading, [grey, grey, grey])).toEqual([grey, grey, grey]);
        // Brightness passes the tables as a whole number.
        expect(Math.abs(luma(apply(grading, [r, g, b])) - luma([r, g, b]))).toBeLessThanOrEqual(0.51);
      }),
    );
  });

  test('keeps curves monotonic in every grading', () => {
    const amount = (key: keyof typeof adjustLimits) =>
      fc.double({ min: -adjustLimits[key], max: adjustLimits[key], noNaN: true });
    const keys = Object.keys(adjustLimits) as (keyof typeof adjustLimits)[];
    const adjust = fc.record(Object.fromEntries(keys.map((key) => [key, amount(key)])), { requiredKeys: [] });
    const preset = fc.constantFrom(...Object.keys(gradingPresets));
    fc.assert(
      fc.property(
        fc.record({ preset, adjust, colorSpace: fc.constantFrom('srgb', 'linear') }),
        (grading: Record<string, unknown>) => {
          for (const step of steps(grading)) {
            if (step.kind !== 'tables') continue;
            for (const values of step.channels) {
              expect(values).toHaveLength(256);
              expect(values.every((value, index) => Number.isInteger(value) && value >= (values[index - 1] ?? 0))).toBe(
                true,
              );
              expect(values.at(-1)).toBeLessThanOrEqual(255);
            }
          }
        },
      ),
    );
  });
});
