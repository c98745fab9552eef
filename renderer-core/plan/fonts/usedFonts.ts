// Finds the font families that a composition's page names, and where each of them comes from.
import type { Composition } from '../../model/composition.ts';
import { type DeclaredFace, facesDeclared, familiesUsed, fontUses } from '../../model/fonts/fontUses.ts';
import { genericFamilies, replacementFor } from '../../model/fonts/pinnedFamilies.ts';
import { type ProjectGraph, referenceBase } from '../../model/graph.ts';
import { lineAndColumn, type Span } from '../../model/text/spans.ts';
import { localPath, type ProjectFiles } from '../projectPaths.ts';

export const fontSources = ['project', 'composition', 'pinned', 'system'] as const;

export type UsedFont = {
  family: string;
  /**
   * `project`: a font sheet of the project; `composition`: an @font-face rule or a script of the page; `pinned`: ships with
   * the product; `system`: the machine may have it.
   */
  source: (typeof fontSources)[number];
  /** The file that declares it. */
  file: string | null;
  /** The pinned family that is used for it. */
  substitute: string | null;
  /** The weights as CSS writes them. Empty if they are not known. */
  weights: string[];
  /** Where its name is, in order. */
  uses: { file: string; line: number; column: number }[];
};

type Origin = Omit<UsedFont, 'family' | 'uses'>;
type Face = Pick<DeclaredFace, 'family' | 'weight'>;
type Named = { name: string; isGeneric: boolean; file: string; text: string; span: Span };

/** The families of a page in the order of their first use, and then those of the project that it does not name. */
export function usedFonts(graph: ProjectGraph, files: ProjectFiles): UsedFont[] {
  const sheets = linkedSheets(graph, files);
  const named = [
    ...[...graph.files].flatMap(([file, composition]) =>
      fontUses(composition).map((use) => ({ ...use, file, text: composition.text })),
    ),
    ...[...sheets].flatMap(([file, text]) => familiesUsed(text).map((use) => ({ ...use, file, text }))),
  ];
  const origins = declaredOrigins(graph, sheets, files);
  const found = new Map<string, UsedFont>();
  for (const use of named) addUse(found, use, origins);
  for (const { family, origin } of origins.values()) {
    const key = family.toLowerCase();
    if (origin.source === 'project' && !found.has(key)) found.set(key, { family, ...origin, uses: [] });
  }
  return [...found.values()];
}

function addUse(
  found: Map<string, UsedFont>,
  { name, isGeneric, file, text, span }: Named,
  origins: ReadonlyMap<string, { origin: Origin }>,
): void {
  const key = name.toLowerCase();
  const origin = (isGeneric ? undefined : origins.get(key)?.origin) ?? pinnedOrigin(name, isGeneric);
  const font = found.get(key) ?? { family: name, ...origin, uses: [] };
  font.uses.push({ file, ...lineAndColumn(text, span.start) });
  found.set(key, font);
}

function pinnedOrigin(name: string, isGeneric: boolean): Origin {
  const named = isGeneric ? (genericFamilies[name.toLowerCase()] ?? name) : name;
  const substitute = replacementFor(named)?.family ?? null;
  return { source: substitute === null ? 'system' : 'pinned', file: null, substitute, weights: [] };
}

/** Families that the page declares, by name in lower case. Those of the page come before those of the project. */
function declaredOrigins(
  graph: ProjectGraph,
  sheets: ReadonlyMap<string, string>,
  files: ProjectFiles,
): Map<string, { family: string; origin: Origin }> {
  const origins = new Map<string, { family: string; origin: Origin }>();
  const add = (source: 'project' | 'composition', file: string, faces: readonly Face[]) => {
    for (const { family, weight } of faces) {
      const known = origins.get(family.toLowerCase());
      if (!known) {
        const weights = weight === '' ? [] : [weight];
        origins.set(family.toLowerCase(), { family, origin: { source, file, substitute: null, weights } });
      } else if (known.origin.source === source && weight !== '' && !known.origin.weights.includes(weight))
        known.origin.weights.push(weight);
    }
  };
  const ofProject = new Set(files.fontSheets);
  for (const [file, composition] of graph.files) add('composition', file, ownFaces(composition));
  for (const [file, css] of sheets) if (!ofProject.has(file)) add('composition', file, facesDeclared(css));
  for (const file of ofProject) add('project', file, facesDeclared(files.read(file) ?? ''));
  return origins;
}

/** Weights in scripts are not read. */
const ownFaces = ({ styles, text }: Composition): Face[] => [
  ...styles.flatMap(({ text: css }) => facesDeclared(css)),
  ...[...text.matchAll(/new\s+FontFace\(\s*["'`]([^"'`]+)/g)].map(([, family = '']) => ({ family, weight: '' })),
];

/** The texts of the project's style sheets that the files of a page link, by path. */
function linkedSheets({ files: compositions }: ProjectGraph, files: ProjectFiles): Map<string, string> {
  const found = new Map<string, string>();
  for (const [file, composition] of compositions) {
    for (const { href } of composition.stylesheets) {
      const path = localPath(href.text, referenceBase(file, composition, href.span.start), files);
      const css = path === undefined ? undefined : files.read(path);
      if (path !== undefined && css !== undefined) found.set(path, css);
    }
  }
  return found;
}
