// The playlist and the times of an HLS stream: those that Apple recommends for all players.
import type { FrameRate } from '../model/frameGrid.ts';

/** The name of the playlist in the folder of a stream. */
export const hlsPlaylist = 'index.m3u8';

/** Seconds. */
const segmentLength = 6;
const keyFrameInterval = 2;

const framesIn = (seconds: number, { num, den }: FrameRate): number => Math.max(1, Math.round((seconds * num) / den));

/** Frames of a segment. Each one is a chunk of the render, so that it begins with a key frame. */
export const hlsSegmentFrames = (fps: FrameRate): number => framesIn(segmentLength, fps);

/** Frames from a key frame to the next one. */
export const hlsKeyFrameInterval = (fps: FrameRate): number => framesIn(keyFrameInterval, fps);
