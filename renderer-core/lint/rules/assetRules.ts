// Rules for assets: missing files, files outside the project, and media embedded as base64.
import * as l10n from '@vscode/l10n';
import { type AssetReference, isLoadable, linkRels } from '../../model/assets.ts';
import { attr } from '../../model/attributes.ts';
import { textField } from '../../model/fields.ts';
import { isOnOtherHost, referenceBase, referenceCandidates } from '../../model/graph.ts';
import { isPlaceholder } from '../../model/placeholders.ts';
import { sourceUse } from '../../model/sourceElements.ts';
import type { Span } from '../../model/spans.ts';
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

/** Whether a variable or a template engine replaces the URL before it is loaded. */
function isReplaced({ element, url }: AssetReference): boolean {
  return element.attributes.has(attr.varSrc) || isPlaceholder(url);
}

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
    const message = l10n.t`${wanted} cannot be loaded because its path contains a name that starts with a dot; rename it`;
    return [{ message, span, severity }];
  }
  const similar = similarPaths(wanted, project.assets());
  const fixes = pathFixes(context, base, url, similar, edit);
  const message = l10n.t`The file ${wanted} does not exist${missingHint(context, base, url, similar[0])}`;
  return [{ message, span, severity, fixes }];
}

/** What the reference at a position is relative to. */
const baseAt = ({ path, composition }: RuleContext, { start }: Span): string => referenceBase(path, composition, start);

function missingHint({ project }: RuleContext, base: string, url: string, near: string | undefined): string {
  const whole = referenceCandidates(base, url.replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('?', '%3F'));
  if (/[#?]/.test(url) && whole.some((each) => project.exists(each)))
    return l10n.t('; # and ? end the path of a URL: write %23 for # and %3F for ?');
  return near === undefined ? '' : l10n.t`; did you mean ${near}?`;
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

/** References to files outside the project folder, which are not served to pages. */
export function outsideAssets(context: RuleContext): RuleFinding[] {
  return context.composition.assetReferences
    .filter(
      (reference) =>
        !isReplaced(reference) &&
        sourceUse(reference.element) !== 'never' &&
        !/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(reference.url.trim()) &&
        !/^[/\\.]*$/.test(reference.url.replace(/[?#].*$/s, '')) &&
        isOutside(baseAt(context, reference.span), reference.url),
    )
    .map(({ url, span }) => ({
      message: l10n.t`${url} is outside the project folder; copy the file into the folder`,
      span,
    }));
}

/** Whether a relative reference leads out of the project folder. Those with a base on another host do not. */
const isOutside = (base: string, url: string): boolean =>
  referenceCandidates(base, url).length === 0 && !isOnOtherHost(base);

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
      message: l10n.t`"${id}" contains a base64-encoded file; use the path or URL of the file instead`,
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
      const message = l10n.t`This is a base64-encoded file of ${size} KB; save it in the project and use its path`;
      found.push({ message, span: element.attributes.get(name)?.nameSpan ?? field.span });
    }
  }
  return found;
}

const mediaTags = new Set(['img', 'video', 'audio', 'source']);
