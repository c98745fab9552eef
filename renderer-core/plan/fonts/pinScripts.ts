// Replaces the generic families of style sheets before the scripts that measure text run.
import type { Composition } from '../../model/composition.ts';
import { runs } from '../../model/script/runs.ts';
import { pinnedSheets } from '../../runtime/page.ts';
import { at } from '../markup.ts';
import type { TextEdit } from '../textEdits.ts';

/** Scripts wait for the style sheets before them, but the browser reports a loaded sheet only later. */
export const pinScript = `<script>window[Symbol.for("${pinnedSheets}")]()</script>`;

/** Inserts the script before each script of the page. */
export const pinEdits = ({ scripts }: Composition): TextEdit[] =>
  scripts.filter(runs).map(({ element }) => ({ span: at(element.span.start), text: pinScript }));
