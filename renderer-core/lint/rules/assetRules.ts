// Rules for files that a composition loads: missing ones, ones outside the project, and ones written out in the text.
import { type AssetReference, isLoadable, linkRels } from '../model/assets.ts';
import { attr } from '../model/attributes.ts';
import { textField } from '../model/fields.ts';
import { referenceCandidates } from '../model/graph.ts';
import { isPlaceholder } from '../model/placeholders.ts';
import type { Span } from '../model/spans.ts';
import type { Found, RuleContext } from './context.ts';
import type { FindingSeverity } from './finding.ts';
import { nearestPath, replaceReference } from './paths.ts';

/** Files that no path leads to. */
export function missingAssets(context: RuleContext): Found[] {
  const { composition } = context;
  return [
    ...composition.assetReferences.flatMap((reference) => missingAsset(context, reference)),
    ...missingDefaults(context),
  ];
}

function missingAsset(context: RuleContext, reference: AssetReference): Found[] {
  const { element, url, span, attribute } = reference;
  if (isReplaced(reference)) return [];
  // A style that nothing uses may name a file that is not there; what a link suggests may be missing as well.
  const isOptional = attribute === null || attribute === 'style';
  if (element.tag === 'link' && !linkRels(element).includes('stylesheet')) return [];
  return missing(context, url, span, isOptional ? 'warning' : 'error');
}

/** Whether a variable or the page puts another file there before it is needed. */
function isReplaced({ element, url }: AssetReference): boolean {
  return element.attributes.has(attr.varSrc) || isPlaceholder(url);
}

function missing(context: RuleContext, url: string, span: Span, severity: FindingSeverity): Found[] {
  const { project, path } = context;
  const candidates = referenceCandidates(path, url);
  if (candidates.length === 0 || candidates.some((candidate) => project.exists(candidate) !== false)) return [];
  const wanted = candidates[0] ?? url;
  // A name with a leading dot hides a file from pages, whether it is there or not.
  if (/(?:^|\/)\./.test(wanted)) {
    const message = `${wanted} is hidden: pages are not shown files with a leading dot in their path`;
    return [{ message, span, severity }];
  }
  const near = nearestPath(wanted, project.assets());
  const fixes = near === undefined ? [] : [replaceReference(context, span, url, near)];
  return [{ message: `The file ${wanted} does not exist${missingHint(context, url, near)}`, span, severity, fixes }];
}

function missingHint({ project, path }: RuleContext, url: string, near: string | undefined): string {
  const whole = referenceCandidates(path, url.replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('?', '%3F'));
  if (/[#?]/.test(url) && whole.some((each) => project.exists(each)))
    return '; in a URL # and ? end the path: write %23 for # and %3F for ?';
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Defaults of variables that are the source of an element; they are what a preview shows. */
function missingDefaults(context: RuleContext): Found[] {
  const { composition } = context;
  const sources = new Set(composition.bindings.filter(({ kind }) => kind === 'src').map(({ id }) => id.text));
  if (sources.size === 0) return [];
  return composition.variables.declared.flatMap(({ declaration, fields }) => {
    const { id, default: value } = declaration;
    const whole = fields.default?.valueSpan;
    if (!sources.has(id) || !whole || typeof value !== 'string' || value.trim() === '' || !isLoadable(value)) return [];
    // The fix of an attribute would be one of JSON here; the message alone says enough.
    return missing(context, value, whole, 'warning').map((found) => ({ ...found, fixes: [] }));
  });
}

/** References that lead out of the project folder: nothing outside it is shown to a page. */
export function outsideAssets({ composition, path }: RuleContext): Found[] {
  return composition.assetReferences
    .filter(
      (reference) =>
        !isReplaced(reference) &&
        !/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(reference.url.trim()) &&
        !/^[/\\.]*$/.test(reference.url.replace(/[?#].*$/s, '')) &&
        referenceCandidates(path, reference.url).length === 0,
    )
    .map(({ url, span }) => ({
      message: `${url} leads out of the project folder; nothing outside it can be loaded`,
      span,
    }));
}

/** A picture of less than this is small enough to stand in the text. */
const smallPicture = 16 * 1024;

const inlined = /^\s*data:[\w.+-]+\/[\w.+-]+(?:;[^,;]+)*;base64,/i;

/** Media written out as base64: in the values of variables always, in elements where it is large. */
export function inlinedMedia(context: RuleContext): Found[] {
  const { composition } = context;
  // Most files have none, and their attributes need not be looked at.
  if (!context.text.includes(';base64,')) return [];
  const found: Found[] = [];
  const inVariable = (id: string, span: Span) =>
    found.push({
      message: `"${id}" holds a file written out as base64; give the path or URL of the file instead`,
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
      if (!field || field.text.length < smallPicture || !inlined.test(field.text)) continue;
      const size = Math.round((field.text.length * 3) / 4 / 1024);
      const message = `A file of ${size} KB is written out as base64 here; put it beside the composition and name its path`;
      found.push({ message, span: element.attributes.get(name)?.nameSpan ?? field.span });
    }
  }
  return found;
}

const mediaTags = new Set(['img', 'video', 'audio', 'source']);
