// What scripts do in real time: sound, which a video does not contain, and workers.
import type { AnyNode } from 'acorn';
import type { Span } from '../text/spans.ts';
import { syntaxOf } from './scriptSyntax.ts';

export type RealTime = { kind: 'sound' | 'clock'; message: string; span: Span };

const useElement = 'use an <audio> element with data-start';
const isMissing = (name: string): string => `The sound of ${name} is missing from the video; ${useElement}`;

const messages: Readonly<Record<string, string>> = {
  AudioContext: isMissing('an AudioContext'),
  AudioNode:
    'Gains, filters and other nodes of an AudioContext do not change the sound of the video; use data-volume, data-fade-in or data-fade-out',
  Audio: isMissing('new Audio()'),
  Howl: isMissing('new Howl()'),
  speak: isMissing('speechSynthesis'),
  Worker:
    'The timers, frames and answers of a worker run in real time, differently in each render; do its work in the page',
};
/** Other names for the same. */
const aliases: Readonly<Record<string, string>> = {
  webkitAudioContext: 'AudioContext',
  SharedWorker: 'Worker',
};

const mayBeRealTime = /AudioContext|new\s+(?:\w+\s*\.\s*)?(?:Audio|Howl|(?:Shared)?Worker)\b|speechSynthesis/;

/** The first use of each, with spans in the code. Inlined libraries are not the author's code. */
export function realTimeUses(code: string): RealTime[] {
  if (!mayBeRealTime.test(code) || code.split('\n').some((line) => line.length > 2000)) return [];
  const nodes = [...(syntaxOf({ text: code })?.parents.keys() ?? [])];
  const analyses = onlyAnalyses(nodes);
  // What analysers hear need not be what the browser plays.
  const plays = nodes.some((node) => lastName(node) === 'destination');
  const found = new Map<string, RealTime>();
  for (const node of nodes) {
    const changes = analyses && plays && changing.test(audioNodeOf(node));
    const name = changes ? 'AudioNode' : nameOf(node);
    const message = name === undefined ? undefined : messages[name];
    if (name === 'AudioContext' && analyses) continue;
    if (
      name === undefined ||
      message === undefined ||
      found.has(name) ||
      (node.type !== 'CallExpression' && node.type !== 'NewExpression')
    )
      continue;
    found.set(name, {
      kind: name === 'Worker' ? 'clock' : 'sound',
      message,
      span: { start: node.start, end: node.callee.end },
    });
  }
  return [...found.values()];
}

/** Whether the code only reads the sound of media elements, which a video contains. */
function onlyAnalyses(nodes: readonly AnyNode[]): boolean {
  const kinds = nodes.map(audioNodeOf);
  return (
    kinds.some((kind) => /^MediaElement(?:Audio)?Source$/.test(kind)) &&
    !kinds.some((kind) => /^(?:(?:Audio)?BufferSource|Oscillator)$/.test(kind))
  );
}

/** Nodes of an AudioContext that change the sound. */
const changing = /^(?:Gain|BiquadFilter|IIRFilter|Delay|DynamicsCompressor|Convolver|(?:Stereo)?Panner|WaveShaper)$/;

/** `Gain` for `context.createGain()` and `new GainNode(context)`; empty for other code. */
function audioNodeOf(node: AnyNode): string {
  if (node.type === 'NewExpression') return /^(\w+)Node$/.exec(lastName(node.callee) ?? '')?.[1] ?? '';
  if (node.type !== 'CallExpression') return '';
  return /^create(\w+)$/.exec(lastName(node.callee) ?? '')?.[1] ?? '';
}

/** The key of a message for a node that makes sound or starts a worker; undefined for others. */
function nameOf(node: AnyNode): string | undefined {
  if (node.type === 'NewExpression') {
    const name = lastName(constructorOf(node.callee));
    const known = name === undefined ? undefined : (aliases[name] ?? name);
    return known === 'speak' ? undefined : known;
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const name = lastName(node.callee);
  return name === 'speak' && lastName(node.callee.object) === 'speechSynthesis' ? name : undefined;
}

/** `new (window.AudioContext || window.webkitAudioContext)()` constructs the first. */
const constructorOf = (callee: AnyNode): AnyNode => (callee.type === 'LogicalExpression' ? callee.left : callee);

function lastName(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  return node.property.name;
}
