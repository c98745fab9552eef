// A font family from npm or from Google Fonts, and the reason why a source does not give one.
import type { OfferedFont } from '../plan/fonts/addedFont.ts';
import type { FontAddition } from './fontAddition.ts';

/** `license`: the text that is kept with the files. */
export type FoundFont = OfferedFont & {
  origin: Pick<FontAddition, 'source' | 'package' | 'version'>;
  license: string;
  /** The bytes of a face's file. Throws UserError `download_failed`. */
  read(file: string): Promise<Uint8Array>;
};

/** `isUnknown`: the source says that it has no such family. `fix`: what the user can do. */
export type Absence = { isUnknown: boolean; reason: string; fix: string };
