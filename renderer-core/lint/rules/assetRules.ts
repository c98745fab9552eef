// Rules for assets: missing files, files outside the project, and media embedded as base64.
import { type AssetReference, isLoadable, linkRels } from '../../model/assets.ts';
import { attr } from '../../model/attributes.ts';
import { isOnOtherHost, leadsOutside, referenceBase, referenceCandidates, requestedPath } from '../../model/graph.ts';
import { sourceUse } from '../../model/sourceElements.ts';
import type { Span } from '../../model/text/spans.ts';
import { textField } from '../../model/variables/fields.ts';
import type { RuleContext, RuleFinding } from '../context.ts';
import { declarationsLocation } from '../declarationLocations.ts';
import type { FindingSeverity } from '../finding.ts';
import { replaceJson } from '../jsonEdits.ts';
import { pathFixes, replaceText, similarPaths } from '../pathSuggestions.ts';

export function missingAssets(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  return [
    ...composition.assetReferences.flatMap((reference) => missingAsset(context, reference)),
    ...missingDefaults(context),
  ];
}

function missingAsset(context: RuleContext, reference: AssetReference): RuleFinding[] {
  const { element, url, span, attribute } = reference;
  const use = sourceUse(element);
  if (isReplaced(reference) || use === 'never') return [];
  // An unused style may refer to a missing file, and so may a link other than a style sheet, or a source with a media query.
  const isOptional = attribute === null || attribute === 'style' || (use === 'maybe' && attribute === 'src');
  if (element.tag === 'link' && !linkRels(element).includes('stylesheet')) return [];
  return missing(context, url, span, isOptional ? 'warning' : 'error');
}

/** Whether a variable replaces the URL before it is loaded. */
const isReplaced = ({ element }: AssetReference): boolean => element.attributes.has(attr.varSrc);

/** `edit` replaces the URL. */
function missing(
  context: RuleContext,
  url: string,
  span: Span,
  severity: FindingSeverity,
  edit = replaceText(context, span),
): RuleFinding[] {
  const { project } = context;
  const base = baseAt(context, span);
  const candidates = referenceCandidates(base, url);
  if (candidates.length === 0 || candidates.some((candidate) => project.exists(candidate) !== false)) return [];
  const wanted = candidates[0] ?? url;
  // Files whose name starts with a dot are not served to pages, whether they exist or not.
  if (/(?:^|\/)\./.test(wanted)) {
    const message = `${wanted} cannot be loaded because its path contains a name that starts with a dot; rename it`;
    return [{ message, span, severity }];
  }
  const similar = similarPaths(wanted, project.assets());
  const fixes = pathFixes(context, base, url, similar, edit);
  const message = `The file ${wanted} does not exist${missingHint(context, base, url, similar[0])}`;
  return [{ message, span, severity, fixes, isCertain: isLiteral(url, project.assets()) }];
}

/** Whether the signs of a placeholder belong to the name of a file here, because other files of the project have them too. */
function isLiteral(url: string, files: readonly string[]): boolean {
  const sign = /[{]|__|\[\[/.exec(url)?.[0];
  return sign !== undefined && files.some((file) => file.includes(sign));
}

/** What the reference at a position is relative to. */
const baseAt = ({ path, composition }: RuleContext, { start }: Span): string => referenceBase(path, composition, start);

function missingHint({ project }: RuleContext, base: string, url: string, near: string | undefined): string {
  const whole = referenceCandidates(base, url.replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('?', '%3F'));
  if (/[#?]/.test(url) && whole.some((each) => project.exists(each)))
    return '; # and ? end the path of a URL: write %23 for # and %3F for ?';
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Checks the defaults of variables that set the source of an element. */
function missingDefaults(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  const sources = new Set(composition.bindings.filter(({ kind }) => kind === 'src').map(({ id }) => id.text));
  const place = declarationsLocation(context);
  if (sources.size === 0 || !place) return [];
  return composition.variables.declared.flatMap(({ declaration, fields }) => {
    const { id, default: value } = declaration;
    const whole = fields.default?.valueSpan;
    if (!sources.has(id) || !whole || typeof value !== 'string' || value.trim() === '' || !isLoadable(value)) return [];
    return missing(context, value, whole, 'warning', (reference) => replaceJson(place, whole, reference));
  });
}

/** References to files outside the project folder, which renders refuse: paths that lead out, and links that do. */
export function outsideAssets(context: RuleContext): RuleFinding[] {
  const { composition, project } = context;
  const assets = composition.assetReferences.flatMap((reference) => {
    if (isReplaced(reference) || sourceUse(reference.element) === 'never') return [];
    const base = baseAt(context, reference.span);
    const message = whyOutside(context, base, reference.url);
    if (message === undefined) return [];
    // A browser ignores what leads out of the folder, so that it can find a file inside.
    const isFound =
      project.exists(requestedPath(base, reference.url) ?? '') === true && leadsOutside(base, reference.url);
    return [{ message, span: reference.span, severity: isFound || !isAlwaysLoaded(reference) ? warning : error }];
  });
  const hosts = composition.hosts.flatMap(({ src }) => {
    const target = referenceCandidates(baseAt(context, src.span), src.text).find((each) => project.exists(each));
    return target !== undefined && project.isOutside(target)
      ? [{ message: isLinkOutside(target), span: src.span }]
      : [];
  });
  const sources = new Set(composition.bindings.filter(({ kind }) => kind === 'src').map(({ id }) => id.text));
  const defaults = composition.variables.declared.flatMap(({ declaration, fields }) => {
    const { id, default: value } = declaration;
    if (!sources.has(id) || typeof value !== 'string' || !fields.default) return [];
    const message = whyOutside(context, context.path, value);
    return message ? [{ message, span: fields.default.valueSpan, severity: warning }] : [];
  });
  return [...assets, ...hosts, ...defaults];
}

const error = 'error' as const;
const warning = 'warning' as const;

/** An unused style does not load its files, and a page is complete without links other than style sheets. */
function isAlwaysLoaded({ element, attribute }: AssetReference): boolean {
  if (element.tag === 'link') return linkRels(element).includes('stylesheet');
  if (sourceUse(element) !== 'always') return false;
  return attribute !== null && attribute !== 'style' && attribute !== 'srcset';
}

/** Why a URL leads out of the project folder; undefined if it does not. */
function whyOutside({ project }: RuleContext, base: string, url: string): string | undefined {
  const isOfThisMachine = /^\s*(?:file:|[a-z]:[\\/])/i.test(url);
  if (isOfThisMachine || (leadsOutside(base, url) && !isOnOtherHost(base)))
    return `${url} is outside the project folder; copy the file into the folder`;
  const [wanted] = referenceCandidates(base, url);
  return isLoadable(url) && wanted !== undefined && project.isOutside(wanted) ? isLinkOutside(wanted) : undefined;
}

const isLinkOutside = (path: string): string =>
  `${path} is a link to a file outside the project folder; copy the file into the folder`;

/** Smaller images may be embedded. In characters of base64. */
const smallImage = 16 * 1024;

const inlined = /^\s*data:[\w.+-]+\/[\w.+-]+(?:;[^,;]+)*;base64,/i;

/** Base64-encoded media: reported in values of variables always, in elements only if large. */
export function inlinedMedia(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  // Most files contain none, so skip the search through their attributes.
  if (!context.text.includes(';base64,')) return [];
  const found: RuleFinding[] = [];
  const inVariable = (id: string, span: Span) =>
    found.push({
      message: `"${id}" contains a base64-encoded file; use the path or URL of the file instead`,
      span,
    });
  for (const { declaration, fields } of composition.variables.declared) {
    if (fields.default && inlined.test(String(declaration.default)))
      inVariable(declaration.id, fields.default.valueSpan);
  }
  for (const { values } of [...composition.hosts, ...composition.inlineCompositions]) {
    for (const { id, value, valueSpan } of values?.entries ?? []) {
      if (typeof value === 'string' && inlined.test(value)) inVariable(id, valueSpan);
    }
  }
  for (const element of composition.html.elements) {
    if (!mediaTags.has(element.tag)) continue;
    for (const name of ['src', 'poster']) {
      const field = textField(element, name);
      if (!field || field.text.length < smallImage || !inlined.test(field.text)) continue;
      const size = Math.round((field.text.length * 3) / 4 / 1024);
      const message = `This is a base64-encoded file of ${size} KB; save it in the project and use its path`;
      found.push({ message, span: element.attributes.get(name)?.nameSpan ?? field.span });
    }
  }
  return found;
}

const mediaTags = new Set(['img', 'video', 'audio', 'source']);
