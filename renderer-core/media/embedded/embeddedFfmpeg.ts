// The embedded ffmpeg: a program for Node with those parts of ffmpeg's command line that Framework uses, on the FFmpeg
// libraries of the npm package node-av, whose path is the first argument. It is a process of its own, because damaged media
// can crash the libraries.
import { writeSync } from 'node:fs';
import * as constants from 'node-av/constants';
import { Log } from 'node-av/lib';
import { parseCommand } from './commandLine.ts';
import { describeInputs, encodersText, helpText, versionText } from './describe.ts';
import { runCommand } from './outputFile.ts';

function run(args: readonly string[]): void {
  const command = parseCommand(args);
  const { encoders, h } = command.options;
  // Like ffmpeg, the version is in front of every list.
  if (encoders !== undefined) writeSync(1, `${versionText()}${encodersText()}`);
  else if (h !== undefined) writeSync(1, helpText(h));
  else if (command.output) runCommand(command);
  else {
    describeInputs(command);
    throw new Error('At least one output file must be specified');
  }
}

function exitStatus(args: readonly string[]): number {
  try {
    run(args);
    return 0;
  } catch (error) {
    writeSync(2, `${(error as Error).message}\n`);
    return 1;
  }
}

Log.setLevel(constants.AV_LOG_ERROR);
// Exits before objects of the libraries are collected: they are freed in the wrong order, which crashes.
process.exit(exitStatus(process.argv.slice(3)));
