// FileNames: every reference in one file to the id of a variable, a clip or a composition.

import type { Host } from '../../../renderer-core/model/instances.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import type { ScriptNames } from './scriptNames.ts';
import type { NameReference } from './spelling.ts';

/** A `data-composition-id`. `host`: the host that has it, if any. */
export type CompositionReference = NameReference & { element: HtmlElement; host: Host | null };

export type ElementReference = NameReference & { element: HtmlElement };

/**
 * Each list is in source order and is known without the project. `hostKeys`: the keys of each host's values, which refer to
 * variables of another file. `starts` refer to a clip by its ID or composition ID. `hasDynamicReads`: a script uses values
 * of variables without naming their IDs.
 */
export type FileNames = {
  variables: NameReference[];
  hostKeys: { host: Host; keys: NameReference[] }[];
  ids: ElementReference[];
  idUses: NameReference[];
  compositions: CompositionReference[];
  compositionUses: NameReference[];
  starts: NameReference[];
  scripts: ScriptNames;
  hasDynamicReads: boolean;
};
