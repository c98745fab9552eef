// Rules for a file as a whole: composition, id, size and duration.
import { attr } from '../../model/attributes.ts';
import type { Composition } from '../../model/composition.ts';
import { isRenderedPage } from '../../model/compositionSize.ts';
import type { HtmlElement } from '../../model/text/html.ts';
import { textOf } from '../../model/text/spans.ts';
import { templateTags } from '../../model/text/templateTags.ts';
import { isPlaceholder } from '../../model/variables/placeholders.ts';
import { addAttribute } from '../attributeEdits.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import type { Fix } from '../finding.ts';
import { jsonFixes } from '../jsonFixes.ts';

/** A file that has attributes of compositions but contains no composition. An error only if a render needs the file. */
export function noComposition({ composition, project, path }: RuleContext): RuleFinding[] {
  const found = composition.problems.filter(({ code }) => code === 'no-composition');
  if (project.embeddersOf(path).length > 0) return found;
  // Other files can contain the names of the attributes too, such as documentation.
  if (!composition.html.elements.some(hasCompositionAttribute) || insertsElements(composition)) return [];
  return path === entryFile ? found : found.map((problem) => ({ ...problem, severity: 'info' }));
}

/** Whether a template engine inserts other files or blocks, which may contain the composition. */
function insertsElements({ text, html }: Composition): boolean {
  if (html.parsedText === text) return false;
  return templateTags(text).some((tag) =>
    /^.{2,3}[-~]?\s*>|include|import|extends|block|yield|partial|render|body|content|slot|safe|raw|\{\{\{|!!/.test(
      textOf(text, tag),
    ),
  );
}

/** Whether a template engine adds attributes to an element: `<div {{ attributes }}>`, `<div {...props}>`. */
function hasUnknownAttributes({ text }: Composition, { startTag, attributes }: HtmlElement): boolean {
  let names = '';
  let at = startTag.start;
  for (const { valueSpan } of attributes.values()) {
    if (!valueSpan) continue;
    names += text.slice(at, valueSpan.start);
    at = valueSpan.end;
  }
  return isPlaceholder(names + text.slice(at, startTag.end));
}

/** The composition that a project renders by default. */
const entryFile = 'index.html';

function hasCompositionAttribute({ attributes }: HtmlElement): boolean {
  return attributes.has(attr.compositionSrc) || attributes.has(attr.compositionVariables);
}

export function missingId(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  const empty = composition.inlineCompositions.filter(({ id }) => id.text === '');
  return [
    ...composition.problems.filter(({ code }) => code === 'missing-id'),
    ...empty.map(({ id }) => ({ message: `${attr.compositionId} must not be empty`, span: id.span })),
  ];
}

/** A time zone or a language of the page that no machine knows. */
export function unknownLocales({ composition, text }: RuleContext): RuleFinding[] {
  return composition.problems.filter(
    ({ code, span }) => code === 'unknown-locale' && !isPlaceholder(textOf(text, span)),
  );
}

/** Sizes that cannot be read, and sizes that come twice. */
export function invalidSizes({ composition }: RuleContext): RuleFinding[] {
  return composition.problems.filter(({ code }) => code === 'invalid-sizes');
}

const isRendered = ({ project, path }: RuleContext): boolean => isRenderedPage(path, project);

/** A video needs a size; an embedded file takes that of its host. */
export function missingSize(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  const { root, width, height } = composition;
  if (!root || (width && height) || !isRendered(context) || hasUnknownAttributes(composition, root)) return [];
  const size = sizeFromPage(context);
  const sides = [
    ...(width ? [] : [[attr.width, String(size.width)] as const]),
    ...(height ? [] : [[attr.height, String(size.height)] as const]),
  ];
  const names = sides.map(([name]) => name).join(' and ');
  const title = `Add ${sides.map(([name, value]) => `${name}="${value}"`).join(' ')}`;
  return [{ message: `The composition has no ${names}`, span: root.startTag, fixes: addToRoot(context, sides, title) }];
}

/** The size in the page's styles or viewport, otherwise full HD. */
function sizeFromPage({ composition }: RuleContext): { width: number; height: number } {
  const { root, styles, html } = composition;
  const viewport = html.elements.find(
    ({ tag, attributes }) => tag === 'meta' && attributes.get('name')?.value.toLowerCase() === 'viewport',
  );
  const content = viewport?.attributes.get('content')?.value;
  const selectors = ['body', 'html', ...(root?.attributes.get('id') ? [`#${root.attributes.get('id')?.value}`] : [])];
  for (const name of root?.attributes.get('class')?.value.split(/\s+/) ?? []) selectors.push(`.${name}`);
  const bodies = styles
    .flatMap(({ text }) => text.split('}').map((rule) => rule.split('{')))
    .filter((parts) =>
      parts
        .at(-2)
        ?.split(',')
        .some((each) => selectors.includes(each.trim())),
    )
    .map((parts) => parts.at(-1) ?? '');
  const own = root?.attributes.get('style')?.value;
  for (const css of [...(own ? [own] : []), ...bodies.reverse()]) {
    const width = pixels(css, 'width');
    const height = pixels(css, 'height');
    if (width && height) return { width, height };
  }
  const [width, height] = ['width', 'height'].map((side) =>
    Number(new RegExp(`${side}=(\\d+)`).exec(content ?? '')?.[1]),
  );
  return width && height ? { width, height } : { width: 1920, height: 1080 };
}

function pixels(css: string, property: 'width' | 'height'): number | undefined {
  const found = new RegExp(`(?:^|[;{\\s])${property}\\s*:\\s*(\\d+)px`).exec(css)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Without a duration the video is as long as its timelines and media. An error if it can have neither. */
export function missingDuration(context: RuleContext): RuleFinding[] {
  const { root, duration } = context.composition;
  if (!root || duration || !isRendered(context) || hasUnknownAttributes(context.composition, root)) return [];
  if (cannotEnd(context)) {
    const fixes = addToRoot(context, [[attr.duration, '5']], `Add ${attr.duration}="5"`);
    const message = `The composition cannot be rendered: it has no ${attr.duration}, and no clip, media or script that could end it`;
    return [{ message, span: root.startTag, severity: 'error', fixes }];
  }
  const ends = context.timeline().clips.map(({ end }) => end ?? Number.NaN);
  const last = Math.max(...ends);
  const isKnown = ends.length > 0 && Number.isFinite(last) && last > 0;
  const fixes = isKnown ? addToRoot(context, [[attr.duration, String(last)]], `Add ${attr.duration}="${last}"`) : [];
  const message = `The composition has no ${attr.duration}; the video will be as long as its timelines and clips`;
  return [{ message, span: root.startTag, fixes }];
}

/** Whether nothing in the composition can have an end: no clip, embedded file, media or script. */
function cannotEnd({ composition, timeline }: RuleContext): boolean {
  const { scripts, hosts, html } = composition;
  const mayEnd = ({ tag, attributes }: HtmlElement): boolean =>
    tag === 'video' || tag === 'audio' || [...attributes.keys()].some((name) => /^on/i.test(name));
  return timeline().clips.length === 0 && scripts.length === 0 && hosts.length === 0 && !html.elements.some(mayEnd);
}

/** Gradings with invalid parts. */
export function invalidGradings(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  const broken = composition.gradings.flatMap(({ problem, span }) =>
    problem ? [{ ...problem, severity: 'error' as const, fixes: jsonFixes(context, span, problem) }] : [],
  );
  return [...composition.problems.filter(({ code }) => code === 'invalid-grading'), ...broken];
}

function addToRoot(context: RuleContext, values: readonly (readonly [string, string])[], title: string): Fix[] {
  const { root } = context.composition;
  if (!root || values.length === 0) return [];
  const edits = values.map(([name, value]) => addAttribute(root, name, value));
  const [first] = edits;
  // All attributes are inserted at the same offset, so one edit suffices.
  return first ? [fixInFile(context, title, [{ span: first.span, text: edits.map(({ text }) => text).join('') }])] : [];
}
