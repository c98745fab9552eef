// The styles of a mount: those of its file, in the scope of the mount.
import type { Composition } from '../../model/composition.ts';
import { type ProjectGraph, referenceBase } from '../../model/graph.ts';
import type { HtmlElement } from '../../model/text/html.ts';
import { localPath, type ProjectFiles, rebase } from '../../plan/projectPaths.ts';
import { instanceAttribute } from '../runtime/page.ts';
import { animationNames, clashingKeyframes, keyframesIn } from './keyframeNames.ts';
import { afterTagName, at, escapeAttribute } from './markup.ts';
import { readSheet, type Sheet, type SheetReader, type StyleScope, scopeStyles } from './scopeStyles.ts';
import type { TextEdit } from './textEdits.ts';

/** `clashing`: for each file, the names of its keyframes that get another name in a mount. */
type PageStyles = { files: ProjectFiles; clashing: ReadonlyMap<string, ReadonlySet<string>> };

/** The styles of one mount as scoped `<style>` elements. `ids` are those that get another name in the mount. */
export function mountStyles(
  { files, clashing }: PageStyles,
  id: string,
  file: string,
  composition: Composition,
  ids: ReadonlySet<string>,
): string {
  const page = pageElements(composition);
  const scope: StyleScope = {
    ...sheetReader(files),
    selector: `[${instanceAttribute}="${id}"]`,
    keyframes: (name) => (clashing.get(file)?.has(name) ? nameInMount(name, id) : name),
    ids: (name) => (ids.has(name) ? nameInMount(name, id) : name),
    page: page.flatMap(({ attributes }) => [...attributes.values()]),
  };
  const ofAttributes = page.flatMap(({ tag, attributes }) => {
    const style = attributes.get('style')?.value;
    return style ? [`${tag}{${style}}`] : [];
  });
  const sheets = sheetsOf(file, composition, files)
    .map(({ element, sheet, href, base }) => {
      const media = writtenAttribute(composition, element, 'media');
      if (!sheet) return `<link rel="stylesheet" href="${escapeAttribute(rebase(href, base, files))}"${media}>`;
      const attributes =
        element.tag === 'style' ? composition.text.slice(afterTagName(element), element.startTag.end - 1) : media;
      return styleElement(attributes, sheet, scope);
    })
    .join('');
  return (
    sheets +
    (ofAttributes.length > 0
      ? styleElement('', { css: ofAttributes.join('\n'), file: referenceBase(file, composition) }, scope)
      : '')
  );
}

/** The `html` and `body` that a mount leaves out. */
const pageElements = ({ html, kind, root }: Composition): HtmlElement[] =>
  kind === 'document'
    ? html.elements.filter((element) => element !== root && (element.tag === 'html' || element.tag === 'body'))
    : [];

/** The name in the page for a name in a mount that another file or mount uses too. */
export const nameInMount = (name: string, id: string): string => `${name}-${id}`;

/** Changes the names of keyframes in `style` attributes. */
export function animationEdits(
  { clashing }: PageStyles,
  id: string,
  file: string,
  { html, text }: Composition,
): TextEdit[] {
  const names = clashing.get(file);
  if (!names?.size) return [];
  return html.elements.flatMap(({ attributes }) => {
    const span = attributes.get('style')?.valueSpan;
    if (!span) return [];
    return animationNames(text.slice(span.start, span.end), names).map(({ end }) => ({
      span: at(span.start + end),
      text: nameInMount('', id),
    }));
  });
}

/** The style sheets of a file in document order. `sheet` is missing for those that are not files of the project. */
function sheetsOf(file: string, composition: Composition, files: ProjectFiles) {
  const { read } = sheetReader(files);
  const baseOf = ({ span }: HtmlElement) => referenceBase(file, composition, span.start);
  const linked = composition.stylesheets.map(({ element, href: { text: href } }) => {
    const base = baseOf(element);
    return { element, href, base, sheet: read(href, base) };
  });
  const inline = composition.styles.map(({ element, text: css }) => {
    const base = baseOf(element);
    return { element, href: '', base, sheet: { css, file: base } };
  });
  return [...linked, ...inline].sort((a, b) => a.element.span.start - b.element.span.start);
}

const sheetReader = (files: ProjectFiles): SheetReader => ({
  rebase: (url, from) => rebase(url, from, files),
  read(url, from) {
    const file = localPath(url, from, files);
    const css = file === undefined ? undefined : files.read(file);
    return file === undefined || css === undefined ? undefined : { css, file };
  },
});

/** For each file of the page: the names of keyframes that other files use for different ones. */
export function clashingNames(
  { files: compositions, mounts }: ProjectGraph,
  files: ProjectFiles,
): Map<string, Set<string>> {
  if (mounts.length === 0) return new Map();
  const reader = sheetReader(files);
  return clashingKeyframes(
    [...compositions].map(([file, composition]) => {
      const sheets = sheetsOf(file, composition, files).flatMap(({ sheet }) => sheet ?? []);
      const relevant = sheets.filter(({ css }) => /keyframes|@import/i.test(css));
      return [file, keyframesIn(relevant.flatMap((sheet) => readSheet(sheet, reader)))];
    }),
  );
}

function writtenAttribute({ text }: Composition, { attributes }: HtmlElement, name: string): string {
  const attribute = attributes.get(name);
  return attribute ? ` ${text.slice(attribute.span.start, attribute.span.end)}` : '';
}

function styleElement(attributes: string, sheet: Sheet, scope: StyleScope): string {
  return `<style${attributes}>${scopeStyles(sheet, scope).replaceAll(/<\/(?=style)/gi, '<\\/')}</style>`;
}

/** The language and direction of an embedded file for its host. */
export function pageLanguage(embedded: Composition, host: HtmlElement): string {
  const page = pageElements(embedded).toReversed();
  return ['lang', 'dir']
    .map((name) => {
      const element = page.find(({ attributes }) => attributes.has(name));
      return element && !host.attributes.has(name) ? writtenAttribute(embedded, element, name) : '';
    })
    .join('');
}
