// Rules for scripts: modules that come too late for variables, clocks and randomness, and the network during a render.
import type { AnyNode } from 'acorn';
import type { Script } from '../model/composition.ts';
import { isCode, isPlainScript, syntaxOf } from '../model/scriptSyntax.ts';
import { removeAttribute } from './attributeEdits.ts';
import { type Found, fixHere, type RuleContext } from './context.ts';

/** Modules run when the page is parsed, after every plain script; the contract wants variables read by plain ones. */
export function moduleScripts(context: RuleContext): Found[] {
  return context.composition.scripts.flatMap((script) => {
    const type = script.element.attributes.get('type');
    if (!script.isModule || !type || !script.text.includes('getVariables')) return [];
    const fixes = isPlainScript(script.text)
      ? [fixHere(context, 'Make it a plain script', [removeAttribute(context.text, type)])]
      : [];
    const message = 'Variables are read in a module; use a plain script, which runs in its place in the page';
    return [{ message, span: type.span, fixes }];
  });
}

/** What a call means, by what is called. */
type Calls = Readonly<Record<string, string>>;

const clocks: Calls = {
  'Date.now': 'the time of day',
  'new Date': 'the time of day',
  'performance.now': 'the time since the page was loaded',
};
const randomness: Calls = {
  'Math.random': 'new numbers each time',
  'crypto.getRandomValues': 'new numbers each time',
  'crypto.randomUUID': 'a new id each time',
};
const network: Calls = {
  fetch: '',
  'new XMLHttpRequest': '',
  'new WebSocket': '',
  'new EventSource': '',
  'navigator.sendBeacon': '',
};

export function wallClock(context: RuleContext): Found[] {
  return firstCalls(context, clocks).map(({ name, span }) => ({
    message: `${name} follows the composition's own clock in a render, not ${clocks[name]}`,
    span,
  }));
}

export function unseededRandom(context: RuleContext): Found[] {
  return firstCalls(context, randomness).map(({ name, span }) => ({
    message: `${name} is seeded in a render: the same values every time, not ${randomness[name]}`,
    span,
  }));
}

/** Answers of other hosts can differ from frame to frame and from render to render. */
export function networkInScripts(context: RuleContext): Found[] {
  return context.composition.scripts.flatMap((script) =>
    callsIn(script, network)
      .filter(({ url }) => url === undefined || /^(?:https?:|wss?:)?\/\//i.test(url))
      .map(({ name, span }) => ({
        message: `${name} asks the network during the render; put the data into the project or into a variable`,
        span,
      })),
  );
}

/** One call of each name a script: the others say nothing more. */
function firstCalls({ composition }: RuleContext, names: Calls) {
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

function callsIn(script: Script, names: Calls): Call[] {
  const wanted = Object.keys(names);
  // Parsing is worth it only where the last word of one of the names stands in the code.
  if (!isCode(script) || !wanted.some((name) => script.text.includes(name.replace(/^.*[ .]/, '')))) return [];
  if (isMinified(script.text)) return [];
  const syntax = syntaxOf(script);
  const calls: Call[] = [];
  for (const node of syntax?.parents.keys() ?? []) {
    const name = calledName(node);
    if (name === undefined || !Object.hasOwn(names, name)) continue;
    const span = { start: script.span.start + node.start, end: script.span.start + node.end };
    calls.push({ name, span: short(script, node, span), url: firstText(node) });
  }
  return calls.sort((a, b) => a.span.start - b.span.start);
}

/** Only what is called, without its arguments, which can be a whole program. */
function short(script: Script, node: AnyNode, span: Call['span']): Call['span'] {
  const callee = node.type === 'CallExpression' || node.type === 'NewExpression' ? node.callee : node;
  return { start: span.start, end: script.span.start + callee.end };
}

/** `Date.now`, `new Date`, `fetch`; a `window.` in front is left out. Undefined for anything else. */
function calledName(node: AnyNode): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const path = dotted(node.callee);
  if (node.type === 'CallExpression') return path === 'Date' ? 'new Date' : path;
  // A date made from numbers or a text does not ask the clock.
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
  // `/data/${id}.json`: where it begins is enough to know the host.
  return first?.type === 'TemplateLiteral' ? first.quasis[0]?.value.raw || undefined : undefined;
}

/** Libraries that are pasted in have lines as nobody writes them, and are not the author's to change. */
function isMinified(code: string): boolean {
  return code.length > 5000 && code.split('\n').some((line) => line.length > 2000);
}
