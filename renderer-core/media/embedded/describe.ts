// What ffmpeg prints about itself and about files: version, encoders, pixel formats, streams of inputs.

import * as constants from 'node-av/constants';
import { avGetPixFmtName, Codec, getFFmpegInfo, Log } from 'node-av/lib';
import { need } from './addonErrors.ts';
import type { Command } from './commandLine.ts';
import { openInput } from './inputFile.ts';

export function versionText(): string {
  const { version, configuration } = getFFmpegInfo();
  return `ffmpeg version ${version} of the FFmpeg developers, in the npm package node-av\nconfiguration: ${configuration}\n`;
}

export function encodersText(): string {
  const encoders = Codec.getCodecList().filter((codec) => codec.isEncoder());
  const rows = encoders.map(
    ({ type, name, longName }) =>
      ` ${type === constants.AVMEDIA_TYPE_VIDEO ? 'V' : 'A'}..... ${name} ${longName ?? ''}\n`,
  );
  return `Encoders:\n${rows.join('')}`;
}

/** `topic`: `encoder=` and a name. */
export function helpText(topic: string): string {
  const name = topic.replace(/^encoder=/, '');
  const codec = need(Codec.findEncoderByName(name as never), `Codec '${name}' is not recognized by FFmpeg.`);
  return `Encoder ${name}:\n    Supported pixel formats: ${(codec.pixelFormats ?? []).map(avGetPixFmtName).join(' ')}\n`;
}

/** Prints the streams of the inputs to standard error. */
export function describeInputs({ inputs }: Command): void {
  Log.setLevel(constants.AV_LOG_INFO);
  for (const [index, input] of inputs.entries()) openInput(input).context.dumpFormat(index, input.url, false);
}
