// Hosts (elements that embed another file), inline compositions, their variable values, and color gradings.

import { attr } from './attributes.ts';
import type { Clip } from './clips.ts';
import { type GradingSettings, readGradingSettings } from './grading/grading.ts';
import { parseReference } from './references.ts';
import type { AttributeText } from './text/attributeText.ts';
import { type HtmlElement, mappedText } from './text/html.ts';
import {
  type JsonNode,
  type JsonProblem,
  type JsonText,
  jsonAt,
  jsonValue,
  kindName,
  readJson,
} from './text/jsonText.ts';
import type { Span } from './text/spans.ts';
import {
  type FieldProblemCode,
  type NumberField,
  numberField,
  type ProblemSink,
  type TextField,
  textField,
} from './variables/fields.ts';

/** One variable value of an instance, with its spans. */
export type InstanceValue = { id: string; value: unknown; span: Span; keySpan: Span; valueSpan: Span };

/**
 * The `data-variable-values` of one instance. `values` is the JSON object (empty if `problem` is set); `entries` has one
 * item per member, including repeated keys.
 */
export type InstanceValues = {
  values: Record<string, unknown>;
  entries: InstanceValue[];
  span: Span;
  json: JsonText;
  problem?: JsonProblem;
};

/** An element that embeds another composition file. */
export type Host = {
  element: HtmlElement;
  src: TextField;
  id: TextField | null;
  values: InstanceValues | null;
  /** Null without `data-start`: the host then starts with its composition. */
  clip: Clip | null;
  duration: NumberField | null;
  width: NumberField | null;
  height: NumberField | null;
};

/** A composition that is defined inside another one. */
export type InlineComposition = {
  element: HtmlElement;
  id: TextField;
  values: InstanceValues | null;
  clip: Clip | null;
  duration: NumberField | null;
  width: NumberField | null;
  height: NumberField | null;
};

/** A `data-color-grading`: its plain value, its settings, and the references to variables in it. */
export type Grading = {
  element: HtmlElement;
  value: unknown;
  /** Fields that are references have their defaults, because only an instance knows their values. */
  settings: GradingSettings;
  references: { name: string; span: Span }[];
  span: Span;
  json: JsonText;
  problem?: JsonProblem;
};

/** An element whose text or source is set by a variable. */
export type Binding = { element: HtmlElement; kind: 'text' | 'src'; id: TextField };

export type InstanceProblemCode = FieldProblemCode | 'invalid-json' | 'invalid-grading';

type Problems = ProblemSink<InstanceProblemCode>;

/** Reads an element with `data-composition-src`. */
export function readHost(text: string, element: HtmlElement, clip: Clip | null, problems: Problems): Host | undefined {
  const src = textField(element, attr.compositionSrc);
  return src
    ? { src, id: textField(element, attr.compositionId), ...readInstance(text, element, clip, problems) }
    : undefined;
}

/** Reads an element with `data-composition-id` inside another composition. */
export function readInlineComposition(
  text: string,
  element: HtmlElement,
  clip: Clip | null,
  problems: Problems,
): InlineComposition | undefined {
  const id = textField(element, attr.compositionId);
  return id ? { id, ...readInstance(text, element, clip, problems) } : undefined;
}

function readInstance(text: string, element: HtmlElement, clip: Clip | null, problems: Problems) {
  const source = mappedText(text, element, attr.variableValues);
  return {
    element,
    values: source ? readValues(source, problems) : null,
    clip,
    // The clip has already read the duration; reading it again would report its problems twice.
    duration: clip ? clip.duration : numberField(element, 'duration', problems),
    width: numberField(element, 'width', problems),
    height: numberField(element, 'height', problems),
  };
}

/** Reads `data-variable-values`. Anything but a JSON object results in no values and a problem. */
export function readValues(source: AttributeText, problems: Problems): InstanceValues {
  const { json, object, problem } = readObject(source, attr.variableValues, problems);
  const entries = (object?.members ?? []).flatMap(({ key, keySpan, span, value }) =>
    value ? [{ id: key, value: jsonValue(value), span, keySpan, valueSpan: value.span }] : [],
  );
  const values = Object.fromEntries(entries.map(({ id, value }) => [id, value]));
  return { values, entries, span: source.span, json, ...(problem && { problem }) };
}

export function readGrading(text: string, element: HtmlElement, problems: Problems): Grading | undefined {
  const source = mappedText(text, element, attr.colorGrading);
  if (!source) return undefined;
  const { json, object, problem } = readObject(source, attr.colorGrading, problems);
  const references: { name: string; span: Span }[] = [];
  if (object) collectReferences(object, references);
  const value = object ? jsonValue(object) : undefined;
  const { settings, problems: found } = readGradingSettings(value ?? {});
  for (const { message, path } of found) {
    const span = (object && jsonAt(object, path)?.span) ?? source.span;
    // A warning, because the video can be rendered without this part of the grading.
    problems.push({ code: 'invalid-grading', severity: 'warning', message: `${attr.colorGrading}: ${message}`, span });
  }
  return { element, value, settings, references, span: source.span, json, ...(problem && { problem }) };
}

function readObject(source: AttributeText, name: string, problems: Problems) {
  const json = readJson(source, { name });
  const object = json.problem === undefined && json.root?.kind === 'object' ? json.root : undefined;
  let problem = json.problem;
  if (!problem && !object && json.root)
    problem = { message: `${name} must be a JSON object (got ${kindName(json.root)})`, span: json.root.span };
  if (problem) problems.push({ code: 'invalid-json', severity: 'error', ...problem });
  return { json, object, problem };
}

function collectReferences(node: JsonNode, references: { name: string; span: Span }[]): void {
  if (node.kind === 'string') {
    const name = parseReference(node.value);
    if (name !== undefined) references.push({ name, span: node.span });
  } else if (node.kind === 'array') {
    for (const item of node.items) collectReferences(item, references);
  } else if (node.kind === 'object') {
    for (const { value } of node.members) if (value) collectReferences(value, references);
  }
}
