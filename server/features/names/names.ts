// Collects every reference in one file to the ID of a variable, a clip or a composition.
import type { Composition } from '../../../renderer-core/model/composition.ts';
import { distinctByStart } from '../distinctByStart.ts';
import { readScriptNames, readStyleNames } from './codeNames.ts';
import { readElementNames } from './elementNames.ts';
import type { FileNames } from './fileNames.ts';
import { scriptNames } from './scriptNames.ts';
import type { NameReference } from './spelling.ts';
import { readVariableNames, valueKeys } from './variableNames.ts';

const known = new WeakMap<Composition, FileNames>();

/** The references in a file. Collected once for each of its texts. Never throws. */
export function namesIn(composition: Composition): FileNames {
  let names = known.get(composition);
  if (!names) {
    names = readNames(composition);
    known.set(composition, names);
  }
  return names;
}

const knownHostKeys = new WeakMap<Composition, FileNames['hostKeys']>();

/** Only the keys of hosts' values, without the cost of reading scripts: needed for every file that embeds another. */
export function hostKeysIn(composition: Composition): FileNames['hostKeys'] {
  let hostKeys = knownHostKeys.get(composition);
  if (!hostKeys) {
    hostKeys = distinctByStart(composition.hosts, ({ src }) => src.span.start).map((host) => ({
      host,
      keys: valueKeys(composition, host.element, host.values),
    }));
    knownHostKeys.set(composition, hostKeys);
  }
  return hostKeys;
}

function readNames(composition: Composition): FileNames {
  const names: FileNames = {
    variables: [],
    hostKeys: hostKeysIn(composition),
    ids: [],
    idUses: [],
    compositions: [],
    compositionUses: [],
    starts: [],
    scripts: scriptNames(composition),
    hasDynamicReads: false,
  };
  readVariableNames(composition, names);
  readElementNames(composition, names);
  readStyleNames(composition, names);
  readScriptNames(composition, names);
  return {
    ...names,
    variables: distinctByStart(names.variables, startOf),
    ids: distinctByStart(names.ids, startOf),
    idUses: distinctByStart(names.idUses, startOf),
    compositions: distinctByStart(names.compositions, startOf),
    compositionUses: distinctByStart(names.compositionUses, startOf),
    starts: distinctByStart(names.starts, startOf),
  };
}

const startOf = ({ span }: NameReference): number => span.start;
