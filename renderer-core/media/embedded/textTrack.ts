// The captions of a video as a track: WebVTT for webm, timed text of 3GPP (mov_text) for mp4 and mov.
import * as constants from 'node-av/constants';
import { Packet, type Stream } from 'node-av/lib';
import { type InputFile, type Ratio, readPackets } from './inputFile.ts';

type TextTrack = { timeBase: Ratio; describe(stream: Stream): void; packets: Generator<Packet> };

/** `codec`: as ffmpeg names it. `source` is a stream of WebVTT without tags. */
export function textTrack(input: InputFile, source: Stream, codec: string): TextTrack {
  const isMovie = codec === 'mov_text';
  return {
    timeBase: source.timeBase,
    packets: isMovie ? timedTexts(input, source) : readPackets(input, source),
    describe({ codecpar }) {
      codecpar.codecType = constants.AVMEDIA_TYPE_SUBTITLE;
      codecpar.codecId = isMovie ? constants.AV_CODEC_ID_MOV_TEXT : constants.AV_CODEC_ID_WEBVTT;
      if (isMovie) codecpar.extradata = sampleDescription();
    },
  };
}

/** Samples follow each other without gaps, so pauses are empty texts. Captions that overlap follow each other. */
function* timedTexts(input: InputFile, source: Stream): Generator<Packet> {
  let at = 0n;
  for (const { pts, duration, data } of readPackets(input, source)) {
    const start = pts > at ? pts : at;
    const end = pts + duration;
    if (end <= start) continue;
    if (start > at) yield sample('', at, start);
    yield sample(plainText(String(data)), start, end);
    at = end;
  }
}

/** The packet is valid until the next one is read. */
function sample(text: string, start: bigint, end: bigint): Packet {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  const packet = new Packet();
  packet.alloc();
  packet.data = Buffer.concat([length, bytes]);
  packet.pts = start;
  packet.dts = start;
  packet.duration = end - start;
  return packet;
}

const plainText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** White text, centered at the bottom, in the first font of the table. Players use their own style. */
function sampleDescription(): Buffer {
  const [centered, bottom] = [1, 0xff];
  const style = [0, 0, 0, 0, 0, 1, 0, 18, 255, 255, 255, 255];
  const fonts = [0, 0, 0, 18, ...Buffer.from('ftab'), 0, 1, 0, 1, 5, ...Buffer.from('Arial')];
  return Buffer.from([0, 0, 0, 0, centered, bottom, ...Array(12).fill(0), ...style, ...fonts]);
}
