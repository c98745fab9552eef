// The limits of `framework check`, which `framework.json` can change: `{"check": {"stillSeconds": 20}}`.

import { objectAt, readProjectConfig } from '../model/projectConfig.ts';
import { jsonMember } from '../model/text/jsonText.ts';

export type CheckLimits = {
  /** A picture that stands still longer is reported, in seconds. */
  stillSeconds: number;
  /** Frames of one color are reported if they last longer, in seconds. */
  blankSeconds: number;
  /** The margin of the safe area as a share of width and height; 0: not checked. */
  safeArea: number;
};

export const defaultLimits: CheckLimits = { stillSeconds: 10, blankSeconds: 1, safeArea: 0 };

const ranges: Record<keyof CheckLimits, { most: number; unit: string }> = {
  stillSeconds: { most: 86_400, unit: 'seconds' },
  blankSeconds: { most: 86_400, unit: 'seconds' },
  safeArea: { most: 0.4, unit: 'a share of width and height' },
};

/** The limits in the text of a configuration file, and problems with their lines. Never throws. */
export function readLimits(text: string): { limits: CheckLimits; problems: { message: string; line: number }[] } {
  const { root, problems, complain } = readProjectConfig(text);
  const before = problems.length;
  const settings = objectAt(root, 'check', complain);
  const limits = { ...defaultLimits };
  for (const name of Object.keys(ranges) as (keyof CheckLimits)[]) {
    const value = settings && jsonMember(settings.value, name)?.value;
    if (!value) continue;
    const { most, unit } = ranges[name];
    if (value.kind === 'number' && value.value >= 0 && value.value <= most) limits[name] = value.value;
    else complain(`"${name}" must be a number from 0 to ${most} (${unit})`, value.span);
  }
  return { limits, problems: problems.slice(before) };
}
