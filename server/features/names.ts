// Every place in one file that writes the id of a variable, a clip or a composition, whatever it is written in.
import type { Composition } from '../../renderer-core/model/composition.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import type { Host } from '../../renderer-core/model/instances.ts';
import { readScriptNames, readStyleNames } from './codeNames.ts';
import { readElementNames } from './elementNames.ts';
import { onePerPlace } from './onePerPlace.ts';
import { type ScriptNames, scriptNames } from './scriptNames.ts';
import type { NamePlace } from './spelling.ts';
import { readVariableNames, valueKeys } from './variableNames.ts';

/** A `data-composition-id`; `host` is set where it stands on one. */
export type CompositionPlace = NamePlace & { element: HtmlElement; host: Host | null };

/** An element's `id`. */
export type ElementPlace = NamePlace & { element: HtmlElement };

/**
 * The places of one file, known without its project, each list in the order they stand. `given` are the keys of each host's
 * values, which name variables of another file. `starts` name a clip by its id or by its composition id. `readsAnything`: a
 * script uses the values of variables in a way that names no id.
 */
export type FileNames = {
  variables: NamePlace[];
  given: { host: Host; keys: NamePlace[] }[];
  ids: ElementPlace[];
  idUses: NamePlace[];
  compositions: CompositionPlace[];
  compositionUses: NamePlace[];
  starts: NamePlace[];
  scripts: ScriptNames;
  readsAnything: boolean;
};

const known = new WeakMap<Composition, FileNames>();

/** The places of a file, looked for once for each of its texts. Never throws. */
export function namesIn(composition: Composition): FileNames {
  let names = known.get(composition);
  if (!names) {
    names = readNames(composition);
    known.set(composition, names);
  }
  return names;
}

const knownGiven = new WeakMap<Composition, FileNames['given']>();

/** Of a file's names only what it gives to the files it embeds: asked of every file that embeds one. */
export function givenIn(composition: Composition): FileNames['given'] {
  let given = knownGiven.get(composition);
  if (!given) {
    given = onePerPlace(composition.hosts, ({ src }) => src.span.start).map((host) => ({
      host,
      keys: valueKeys(composition, host.element, host.values),
    }));
    knownGiven.set(composition, given);
  }
  return given;
}

function readNames(composition: Composition): FileNames {
  const names: FileNames = {
    variables: [],
    given: givenIn(composition),
    ids: [],
    idUses: [],
    compositions: [],
    compositionUses: [],
    starts: [],
    scripts: scriptNames(composition),
    readsAnything: false,
  };
  readVariableNames(composition, names);
  readElementNames(composition, names);
  readStyleNames(composition, names);
  readScriptNames(composition, names);
  return {
    ...names,
    variables: onePerPlace(names.variables, startOf),
    ids: onePerPlace(names.ids, startOf),
    idUses: onePerPlace(names.idUses, startOf),
    compositions: onePerPlace(names.compositions, startOf),
    compositionUses: onePerPlace(names.compositionUses, startOf),
    starts: onePerPlace(names.starts, startOf),
  };
}

const startOf = ({ span }: NamePlace): number => span.start;
