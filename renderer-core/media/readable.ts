// Footage that the browser cannot decode (HEVC, ProRes, odd containers), converted once to what it can.

/**
 * Pictures alone, at their own times, nearly without loss; a key frame every second, because a page may begin to read
 * in the middle.
 */
export function readableArguments(input: string, output: string): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-i', input, '-map', '0:v:0'],
    ...['-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '6'],
    ...['-g', '30', '-pix_fmt', 'yuv420p', '-vsync', 'vfr', '-video_track_timescale', '90000', '-f', 'mp4', output],
  ];
}
