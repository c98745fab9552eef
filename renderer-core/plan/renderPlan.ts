// The plan of a render: plain JSON with everything that a worker needs to render any part of the video.
import { z } from 'zod';
import { count, maybe, path, pixels, seconds, values } from '../reports/reportFields.ts';
import { hdrCurves } from './deepColor.ts';
import { codecs, formats, qualities } from './formats.ts';

const placement = z
  .object({
    x: z.number().describe('Pixels from the left edge of the video to the page; negative if the page is cropped.'),
    y: z.number().describe('Pixels from the top edge.'),
    stretch: count('Vertical zoom, divided by the zoom.'),
    background: z.string().nullable().describe("Color of the bars, or null for the page's own."),
  })
  .describe('Where the page is in a video with another aspect ratio.');

export const renderPlanSchema = z
  .object({
    version: z.literal(1),
    composition: path('Relative to the project folder.'),
    variables: values.describe('The given values, without declared defaults.'),
    // The size of a frame; a video with an odd size is one pixel larger.
    width: pixels,
    height: pixels,
    page: z
      .object({
        width: pixels,
        height: pixels,
        zoom: count('Pixels of the video per pixel of the composition.'),
        placement: maybe(placement),
      })
      .describe('The size that the page is laid out in: its own, or one of data-sizes.'),
    fps: z
      .object({ num: count('Numerator.'), den: count('Denominator.') })
      .describe('Frames per second, in lowest terms.'),
    // The last frame may end slightly later.
    duration: seconds,
    frames: count('Number of frames.'),
    firstFrame: maybe(count('Number of the first frame in the composition, if the video does not start with it.')),
    chunks: z.array(
      z.object({ index: count('From 0.'), start: count('First frame.'), end: count('Last frame, exclusive.') }),
    ),
    format: z.enum(formats),
    codec: z.enum(codecs).nullable(),
    quality: z.enum(qualities),
    crf: maybe(count('Rate factor of the encoder; that of the quality without it.')),
    bitrate: maybe(count('Bits per second of the frames; the quality decides without it.')),
    hdr: z.enum(hdrCurves).nullable().describe('How the light of an HDR video is coded; null for SDR.'),
    bitDepth: z.union([z.literal(8), z.literal(10)]).describe('Bits of each color.'),
    systemFonts: z.boolean().describe('Whether text uses the fonts of the machine.'),
    timezone: z.string().describe('Time zone of the page, such as UTC.'),
    locale: z.string().describe('Language of the page, such as en-US.'),
    loudness: maybe(z.number().describe('Loudness of the sound in LUFS; as mixed without it.')),
    captions: maybe(
      z.object({
        output: z.string().describe('A path, or embed for a track of the video.'),
        cues: z
          .array(z.object({ start: z.number(), end: z.number(), text: z.string() }))
          .describe('Texts with their seconds in the video. Empty while only the page knows them.'),
      }),
    ),
    seed: z.number().describe('Seed of Math.random in the page.'),
    epochMs: z.number().describe('Start time of Date in the page, in Unix milliseconds.'),
    output: path('The given path, or the default.'),
  })
  .meta({ id: 'RenderPlan', description: 'The plan of a render.' });
export type RenderPlan = z.infer<typeof renderPlanSchema>;

/** The encoding of a video. */
export type Encoding = Pick<RenderPlan, 'format' | 'codec' | 'quality' | 'crf' | 'bitrate' | 'hdr' | 'bitDepth'>;
