// Writes the captions of files into the markup. Each one is a clip: the runtime shows it at its time.

import { attr } from '../../model/attributes.ts';
import type { CaptionsElement } from '../../model/captions/captionsElement.ts';
import { captionsObstacle, captionsSource } from '../../model/captions/captionsElement.ts';
import { type Cue, type CueNode, readCues } from '../../model/captions/readCues.ts';
import type { Composition } from '../../model/composition.ts';
import { borderOnFrame, type FrameRate } from '../../model/frameGrid.ts';
import { referenceBase } from '../../model/graph.ts';
import { localPath, type ProjectFiles } from '../../plan/projectPaths.ts';
import { cueAttribute, hiddenAttribute } from '../runtime/page.ts';
import { contentEdit } from './boundElements.ts';
import { escapeAttribute, escapeText } from './markup.ts';
import type { TextEdit } from './textEdits.ts';

/** The edits for the captions of an instance of a file. Elements whose file does not exist stay as they are. */
export function captionEdits(
  file: string,
  composition: Composition,
  values: Readonly<Record<string, unknown>>,
  files: ProjectFiles,
  rate: FrameRate,
): TextEdit[] {
  const { text, html } = composition;
  return composition.captions.flatMap((captions) => {
    const source = captionsSource(captions, values);
    const isShown = source !== '' && captionsObstacle(captions) === undefined;
    const path = isShown ? localPath(source, referenceBase(file, composition), files) : undefined;
    const read = path === undefined ? undefined : files.read(path);
    const markup = read === undefined ? undefined : cuesMarkup(readCues(read).cues, captions, rate);
    return (markup !== undefined && contentEdit(text, html.elements, captions.element, markup)) || [];
  });
}

function cuesMarkup(cues: readonly Cue[], { mediaStart, isWordByWord }: CaptionsElement, rate: FrameRate): string {
  const skipped = mediaStart?.value ?? 0;
  return cues
    .filter(({ end }) => end > skipped)
    .map((cue) => cueMarkup(cue, skipped, isWordByWord, rate))
    .join('');
}

const seconds = (value: number): string => String(Number(value.toFixed(4)));

function cueMarkup(cue: Cue, skipped: number, isWordByWord: boolean, rate: FrameRate): string {
  const border = (time: number): number => borderOnFrame(time - skipped, rate);
  const [start, end] = [border(cue.start), border(cue.end)];
  const wordAt = (from: number, to: number): string =>
    `<span data-cue-word style="--word-start:${seconds(border(from) - start)}s;--word-seconds:${seconds(border(to) - border(from))}s">`;
  const words = isWordByWord ? wordTimes(cue) : null;
  const times = `${attr.start}="${seconds(cue.start - skipped)}" ${attr.duration}="${seconds(cue.end - cue.start)}"`;
  const content = nodesMarkup(
    cue.nodes,
    words && ((index) => wordAt(words[index] ?? cue.start, words[index + 1] ?? cue.end)),
  );
  // Thousands of captions must not be laid out, and start their animations, before the first frame.
  return `<span data-cue ${cueAttribute} ${hiddenAttribute} ${times} style="--cue-seconds:${seconds(end - start)}s">${content}</span>`;
}

/** When each word begins; null if the file does not say so. What is before the first time begins with the caption. */
function wordTimes({ start, end, nodes }: Cue): number[] | null {
  const found = timestamps(nodes);
  let last = start;
  // A negative length would make the whole animation of a word invalid.
  const inOrder = found.map((time) => {
    last = Math.min(end, Math.max(last, time));
    return last;
  });
  return found.length === 0 ? null : [start, ...inOrder];
}

const timestamps = (nodes: readonly CueNode[]): number[] =>
  nodes.flatMap((node) =>
    node.type === 'timestamp' ? [node.value] : node.type === 'object' ? timestamps(node.children) : [],
  );

/** `openWord`: the start tag of the word after as many times as `index`. */
function nodesMarkup(nodes: readonly CueNode[], openWord: ((index: number) => string) | null): string {
  let index = 0;
  const write = (node: CueNode): string => {
    if (node.type === 'timestamp') {
      index++;
      return '';
    }
    if (node.type === 'text') return openWord ? wordMarkup(node.value, openWord(index)) : lines(node.value);
    const [open, close] = tagsOf(node);
    return open + node.children.map(write).join('') + close;
  };
  return nodes.map(write).join('');
}

/** Spaces stay outside, so that styles can make a box of the word. */
function wordMarkup(text: string, open: string): string {
  const [, before = '', word = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return lines(before) + (word === '' ? '' : `${open}${lines(word)}</span>`) + lines(after);
}

const lines = (text: string): string => escapeText(text).replaceAll('\n', '<br>');

/** Voices, classes and languages become attributes, which styles can select. */
function tagsOf({ name, classes, value = '' }: CueNode & { type: 'object' }): [open: string, close: string] {
  const tag = /^(?:b|i|u|ruby|rt)$/.test(name) ? name : 'span';
  const extra = name === 'v' ? 'data-cue-voice' : name === 'lang' ? 'lang' : undefined;
  const list = classes.length === 0 ? '' : ` class="${escapeAttribute(classes.join(' '))}"`;
  return [`<${tag}${list}${extra === undefined ? '' : ` ${extra}="${escapeAttribute(value)}"`}>`, `</${tag}>`];
}
