// Rules for scripts: modules that read variables, clocks, random numbers and network access; and for content with its own clock.
import type { AnyNode } from 'acorn';
import type { Script } from '../../model/composition.ts';
import { embeddedModules } from '../../model/graph.ts';
import { ownClocks } from '../../model/ownClock.ts';
import { type RealTime, realTimeUses } from '../../model/script/realTimeScript.ts';
import { isCode, isPlainScript, syntaxOf } from '../../model/script/scriptSyntax.ts';
import { removeAttribute } from '../attributeEdits.ts';
import { fixInFile, type RuleContext, type RuleFinding } from '../context.ts';
import type { Fix } from '../finding.ts';

/** Modules run after the page is parsed and after every classic script. The contract requires classic scripts for variables. */
export function moduleScripts(context: RuleContext): RuleFinding[] {
  if (isEmbedded(context)) return [];
  return context.composition.scripts.flatMap((script) => {
    const type = script.element.attributes.get('type');
    if (!script.isModule || !type || !script.text.includes('getVariables')) return [];
    const message = 'A module script must not read variables; use a classic script, which runs in document order';
    return [{ message, span: type.span, fixes: classicScript(context, script) }];
  });
}

export function modulesInEmbeddedFile(context: RuleContext): RuleFinding[] {
  if (!isEmbedded(context)) return [];
  return embeddedModules(context.composition).map(({ script, message, span }) => ({
    message,
    span,
    fixes: script.src ? [] : classicScript(context, script),
  }));
}

const isEmbedded = ({ project, path }: RuleContext): boolean => project.embeddersOf(path).length > 0;

/** The fix for a module whose code is also a classic script. */
function classicScript(context: RuleContext, { element, text }: Script): Fix[] {
  const type = element.attributes.get('type');
  return type && isPlainScript(text)
    ? [fixInFile(context, 'Change to a classic script', [removeAttribute(context.text, type)])]
    : [];
}

/** What scripts expect of a called function. */
type Calls = Readonly<Record<string, string>>;

/** `performance.now` is no clock here: scripts draw by it, and it returns the time of the composition, as they expect. */
const clocks: Calls = {
  'Date.now': 'the time of day',
  'new Date': 'the time of day',
};
const randomness: Calls = {
  'Math.random': 'new numbers',
  'crypto.getRandomValues': 'new numbers',
  'crypto.randomUUID': 'a new id',
};
const network: readonly string[] = [
  'fetch',
  'new XMLHttpRequest',
  'new WebSocket',
  'new EventSource',
  'navigator.sendBeacon',
];

export function wallClock(context: RuleContext): RuleFinding[] {
  return firstCalls(context, clocks).map(({ name, span }) => ({
    message: `During a render, ${name} returns the composition time, not ${clocks[name] ?? ''}`,
    span,
  }));
}

export function unseededRandom(context: RuleContext): RuleFinding[] {
  return firstCalls(context, randomness).map(({ name, span }) => ({
    message: `During a render, ${name} is seeded and returns the same values every time, not ${randomness[name] ?? ''}`,
    span,
  }));
}

/** Network responses can differ between frames and between renders. */
export function networkInScripts(context: RuleContext): RuleFinding[] {
  return context.composition.scripts.flatMap((script) =>
    callsIn(script, network)
      .filter(({ url }) => url === undefined || /^(?:https?:|wss?:)?\/\//i.test(url))
      .map(({ name, span }) => ({
        message: `${name} accesses the network during the render; put the data into the project or a variable`,
        span,
      })),
  );
}

/** The first call of each function per script. */
function firstCalls({ composition }: RuleContext, calls: Calls) {
  const names = Object.keys(calls);
  return composition.scripts.flatMap((script) => {
    const seen = new Set<string>();
    return callsIn(script, names).filter(({ name }) => {
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    });
  });
}

type Call = { name: string; span: { start: number; end: number }; url: string | undefined };

function callsIn(script: Script, names: readonly string[]): Call[] {
  // Parse only if the code contains the last part of one of the names.
  if (!isCode(script) || !names.some((name) => script.text.includes(name.replace(/^.*[ .]/, '')))) return [];
  if (isMinified(script.text)) return [];
  const syntax = syntaxOf(script);
  const calls: Call[] = [];
  for (const node of syntax?.parents.keys() ?? []) {
    const name = calledName(node);
    if (name === undefined || !names.includes(name)) continue;
    const span = { start: script.span.start + node.start, end: script.span.start + node.end };
    calls.push({ name, span: calleeSpan(script, node, span), url: firstText(node) });
  }
  return calls.sort((a, b) => a.span.start - b.span.start);
}

/** The span of the callee without the arguments, which can be long. */
function calleeSpan(script: Script, node: AnyNode, span: Call['span']): Call['span'] {
  const callee = node.type === 'CallExpression' || node.type === 'NewExpression' ? node.callee : node;
  return { start: span.start, end: script.span.start + callee.end };
}

/** The called function, without a leading `window.`: `Date.now`, `new Date`, `fetch`. Undefined for other nodes. */
function calledName(node: AnyNode): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const path = dotted(node.callee);
  if (node.type === 'CallExpression') return path === 'Date' ? 'new Date' : path;
  // A date with arguments does not read the clock.
  return path === 'Date' && node.arguments.length > 0 ? undefined : path && `new ${path}`;
}

function dotted(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  const object = node.object.type === 'Identifier' ? node.object.name : undefined;
  if (object === undefined) return undefined;
  return object === 'window' || object === 'globalThis' ? node.property.name : `${object}.${node.property.name}`;
}

function firstText(node: AnyNode): string | undefined {
  const first = node.type === 'CallExpression' || node.type === 'NewExpression' ? node.arguments[0] : undefined;
  if (first?.type === 'Literal' && typeof first.value === 'string') return first.value;
  // `/data/${id}.json`: the beginning determines the host.
  return first?.type === 'TemplateLiteral' ? first.quasis[0]?.value.raw || undefined : undefined;
}

/** Inlined libraries have very long lines, and are not the author's code. */
function isMinified(code: string): boolean {
  return code.length > 5000 && code.split('\n').some((line) => line.length > 2000);
}

export function ownClock(context: RuleContext): RuleFinding[] {
  const elements = ownClocks(context.composition).map(({ message, span }) => ({ message, span }));
  return [...elements, ...findingsIn(context, 'clock')];
}

export const soundOfScripts = (context: RuleContext): RuleFinding[] => findingsIn(context, 'sound');

function findingsIn({ composition }: RuleContext, kind: RealTime['kind']): RuleFinding[] {
  return composition.scripts.filter(isCode).flatMap((script) =>
    realTimeUses(script.text)
      .filter((use) => use.kind === kind)
      .map(({ message, span }) => ({
        message,
        span: { start: script.span.start + span.start, end: script.span.start + span.end },
      })),
  );
}
