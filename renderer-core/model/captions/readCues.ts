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

/** `unread`: the lines of times that cannot be read. Their captions are left out. */
export type Captions = { cues: readonly Cue[]; unread: readonly number[] };

/** Hours are optional in WebVTT. SRT has commas; players also accept fewer digits. */
const time = String.raw`(?:(\d+):)?(\d\d):(\d\d)[.,](\d{1,3})`;
const times = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(.*)$`);

/** The parser's own table lacks the semicolons, which then stay in the text. */
const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': '\u00a0', '&lrm;': '\u200e', '&rlm;': '\u200f' };

/** The captions of a file in the order of their times. Never throws. */
export function readCues(text: string): Captions {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const isSrt = !/^WEBVTT(?:\s|$)/.test(lines[0] ?? '');
  const normal = (isSrt ? lines.map(ofSrt) : lines).join('\n');
  const { cues } = new webvtt.WebVTTParser(entities).parse(isSrt ? `WEBVTT\n\n${normal}` : normal, 'captions');
  const linesOf = lineNumbers(lines);
  const found = cues.map(({ startTime, endTime, tree }) => {
    const line = linesOf.get(key(startTime, endTime))?.shift() ?? 1;
    return { start: startTime, end: endTime, line, nodes: tree.children };
  });
  return { cues: found, unread: [...linesOf.values()].flat().sort((a, b) => a - b) };
}

/** A line of an SRT file as one of WebVTT. Only these tags are tags. Colors and positions are for the page's styles. */
function ofSrt(line: string): string {
  const found = times.exec(line);
  if (!found) {
    const text = line.replace(/<\/?font[^>]*>|\{\\an?\d+\}/gi, '');
    return text.replaceAll('&', '&amp;').replace(/<(?!\/?[biu]>)/gi, '&lt;');
  }
  const part = (index: number, digits: number) => (found[index] ?? '0').padStart(digits, '0');
  const at = (first: number) =>
    `${part(first, 2)}:${part(first + 1, 2)}:${part(first + 2, 2)}.${part(first + 3, 0).padEnd(3, '0')}`;
  return `${at(1)} --> ${at(5)}`;
}

/** The numbers of the lines with times, by these times. Comments may mention times. */
function lineNumbers(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  let isComment = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') isComment = false;
    if (/^(?:NOTE|STYLE)(?:\s|$)/.test(line) && (lines[index - 1] ?? '').trim() === '') isComment = true;
    if (isComment || !line.includes('-->')) continue;
    const parts = times.exec(line);
    const at = parts ? key(seconds(parts, 1), seconds(parts, 5)) : `line ${index}`;
    found.set(at, [...(found.get(at) ?? []), index + 1]);
  }
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
