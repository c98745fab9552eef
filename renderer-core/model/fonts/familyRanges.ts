// The characters that faces of pinned families are used for, in place of those in the style sheet of their package. Not with the
// families themselves, because scripts of pages contain their names.
import { mathFamily } from './pinnedFamilies.ts';

const ranges: Readonly<Record<string, string>> = {
  // The package declares the whole font for Latin text only.
  'Noto Sans Math':
    'U+2016-2044,U+2070-209C,U+20D0-20F0,U+2100-215F,U+2189-23FF,U+27C0-27FF,U+2900-2BFF,U+1D400-1D7FF,U+1EE00-1EEFF',
  [mathFamily]: 'U+0-10FFFF',
  'Framework Symbols': 'U+2016-218B,U+2190-27FF,U+2900-2BFF,U+A700-A7FF,U+FB00-FB06',
  'Framework Boxes': 'U+2500-259F',
  // `Emoji_Presentation` of Unicode, and what joins them. Characters between them that the font lacks are not left out.
  'Framework Emoji': [
    'U+200D,U+231A-231B,U+23E9-23EC,U+23F0,U+23F3,U+25FD-25FE,U+2614-2615,U+2648-2653,U+267F,U+2693,U+26A1,U+26AA-26AB',
    'U+26BD-26C5,U+26CE,U+26D4,U+26EA,U+26F2-26F3,U+26F5,U+26FA-26FD,U+2705,U+270A-270B,U+2728,U+274C-2757,U+2795-2797',
    'U+27B0-27BF,U+2B1B-2B55,U+FE0F,U+1F004-1F0CF,U+1F18E-1F201,U+1F21A-1F236,U+1F238-1F320,U+1F32D-1F335,U+1F337-1F37C',
    'U+1F37E-1F393,U+1F3A0-1F3CA,U+1F3CF-1F3D3,U+1F3E0-1F3F0,U+1F3F4,U+1F3F8-1F43E,U+1F440,U+1F442-1F4FC,U+1F4FF-1F53D',
    'U+1F54B-1F567,U+1F57A,U+1F595-1F5A4,U+1F5FB-1F6C5,U+1F6CC,U+1F6D0-1F6D8,U+1F6DC-1F6DF,U+1F6EB-1F6EC,U+1F6F4-1FBFF',
    'U+E0020-E007F',
  ].join(),
  'Noto Color Emoji':
    'U+23,U+2A,U+30-39,U+A9,U+AE,U+200D,U+203C,U+2049,U+20E3,U+2122,U+2139,U+2194-21AA,U+231A-23FF,U+24C2,U+25AA-27BF,U+2934-2935,U+2B05-2B55,U+3030,U+303D,U+3297,U+3299,U+FE0E-FE0F,U+1F000-1FBFF,U+E0020-E007F',
};

/** Undefined if those of the package's style sheet are right. */
export const familyRanges = (family: string): string | undefined => ranges[family];
