// Reads files of captions: WebVTT, and SRT, which becomes WebVTT first.
import webvtt from 'webvtt-parser';

/** A part of a caption: text, the time of the word that follows, or a tag around other parts. */
export type CueNode =
  | { type: 'text'; value: string }
  | { type: 'timestamp'; value: number }
  | { type: 'object'; name: string; classes: string[]; value?: string; children: CueNode[] };

/** What a video shows as a caption, without tags. In seconds. */
export type Caption = { start: number; end: number; text: string };

/** A text with the seconds of the file in which it is shown. `line` counts from 1. */
export type Cue = { start: number; end: number; line: number; nodes: readonly CueNode[] };

/**
 * `unread`: the lines of captions that are left out, because their times cannot be read or end before they start.
 * `isDamaged`: some characters cannot be decoded.
 */
export type Captions = { cues: readonly Cue[]; unread: readonly number[]; isDamaged: boolean };

/** Hours are optional in WebVTT. SRT has commas; players also accept fewer digits. */
const time = String.raw`(?:(\d+):)?(\d\d):(\d\d)[.,](\d{1,3})`;
const times = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(.*)$`);
/** A line that is meant to have times. */
const isTimes = /^\s*[\d:.,]+\s*-->/;

/** The parser's own table lacks the semicolons, which then stay in the text. */
const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': '\u00a0', '&lrm;': '\u200e', '&rlm;': '\u200f' };

/** Tags in tags. No author needs more, and readers of the tree call themselves for each. */
const deepest = 50;

/** The captions of a file in the order of their times. Never throws. */
export function readCues(text: string): Captions {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const isSrt = !/^WEBVTT(?:\s|$)/.test(lines[0] ?? '');
  const normal = (isSrt ? lines.map(ofSrt) : lines).join('\n');
  const linesOf = lineNumbers(lines);
  const found = parse(isSrt ? `WEBVTT\n\n${normal}` : normal).map(({ startTime: start, endTime: end, tree }) => {
    const line = linesOf.get(key(start, end))?.pop() ?? 1;
    return { start, end, line, nodes: tree.children };
  });
  const shown = found.filter(({ start, end, nodes }) => end > start && isShallow(nodes, deepest));
  const kept = new Set(shown.map(({ line }) => line));
  const unread = [...linesOf.values(), found.map(({ line }) => line)].flat().filter((line) => !kept.has(line));
  return { cues: shown, unread: unread.sort((a, b) => a - b), isDamaged: /[\0\ufffd]/.test(text) };
}

/** The parser calls itself for tags in tags, so that thousands of them exceed the stack. */
function parse(text: string) {
  try {
    return new webvtt.WebVTTParser(entities).parse(text, 'captions').cues;
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

const isShallow = (nodes: readonly CueNode[], depth: number): boolean =>
  depth > 0 && nodes.every((node) => node.type !== 'object' || isShallow(node.children, depth - 1));

/** A line of an SRT file as one of WebVTT. Only these tags are tags. Colors and positions are for the page's styles. */
function ofSrt(line: string): string {
  const found = times.exec(line);
  if (!found) {
    if (isTimes.test(line)) return line;
    const text = line.replace(/<\/?font[^<>]*>|\{\\an?\d+\}/gi, '');
    return text
      .replaceAll('&', '&amp;')
      .replace(/<(?!\/?[biu]>)/gi, '&lt;')
      .replaceAll('-->', '--&gt;');
  }
  const part = (index: number, digits: number) => (found[index] ?? '0').padStart(digits, '0');
  const at = (first: number) =>
    `${part(first, 2)}:${part(first + 1, 2)}:${part(first + 2, 2)}.${part(first + 3, 0).padEnd(3, '0')}`;
  return `${at(1)} --> ${at(5)}`;
}

/** The numbers of the lines with times, by these times, the last one first. Comments may mention times. */
function lineNumbers(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  let isComment = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') isComment = false;
    if (/^(?:NOTE|STYLE)(?:\s|$)/.test(line) && (lines[index - 1] ?? '').trim() === '') isComment = true;
    if (isComment || !isTimes.test(line)) continue;
    const parts = times.exec(line);
    const at = parts ? key(seconds(parts, 1), seconds(parts, 5)) : `line ${index}`;
    const same = found.get(at);
    if (same) same.push(index + 1);
    else found.set(at, [index + 1]);
  }
  for (const same of found.values()) same.reverse();
  return found;
}

const seconds = (parts: RegExpExecArray, first: number): number =>
  Number(parts[first] ?? 0) * 3600 +
  Number(parts[first + 1]) * 60 +
  Number(parts[first + 2]) +
  Number((parts[first + 3] ?? '').padEnd(3, '0')) / 1000;

const key = (start: number, end: number): string => `${Math.round(start * 1000)}-${Math.round(end * 1000)}`;

/** What a caption says, without its tags. */
export const textOfNodes = (nodes: readonly CueNode[]): string =>
  nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'object' ? textOfNodes(node.children) : ''))
    .join('');
