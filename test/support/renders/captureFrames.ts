// Captures the frames of a composition as a render does, and keeps them in memory instead of encoding them.
import { PNG } from 'pngjs';
import { videoOptions } from '../../../renderer-core/render/captureOptions.ts';
import { capture } from '../../../renderer-core/render/captureStage.ts';
import { emitWarnings, type launch } from '../../../renderer-core/render/pipeline.ts';
import { prepare } from '../../../renderer-core/render/prepare.ts';
import { probe } from '../../../renderer-core/render/probe/probe.ts';
import { reportProgress } from '../../../renderer-core/render/progress.ts';
import type { CaptureResult, EncodingJob, RenderRequest } from '../../../renderer-core/render/types.ts';
import { surroundings } from './surroundings.ts';

export type Image = { width: number; height: number; data: Buffer };
export type CapturedVideo = { images: Image[]; captured: CaptureResult; warnings: string[] };

/** The frames have the pixels of a PNG render. */
export async function captureFrames(given: RenderRequest, launchStage: typeof launch): Promise<CapturedVideo> {
  const request: RenderRequest = { ...given, format: 'png', output: 'frames' };
  const progress = reportProgress(request.onEvent, surroundings.now);
  const prepared = await prepare(request);
  emitWarnings(prepared, progress.emit);
  return launchStage({ ...request, ...surroundings, root: prepared.root }, async (place) => {
    const probed = await probe({ ...request, onEvent: progress.emit }, prepared, place);
    try {
      const { startSegment, images } = keepFrames();
      const options = videoOptions(request, probed.plan, { temporary: probed.encoding.folder }, progress.emit);
      const captured = await capture({ ...probed, encoding: { ...probed.encoding, startSegment } }, options, progress);
      await captured.encoded;
      await captured.closed;
      return { images: images(), captured, warnings: progress.warnings };
    } finally {
      await probed.close();
    }
  });
}

export const pngOf = ({ width, height, data }: Image): Buffer =>
  PNG.sync.write(Object.assign(new PNG({ width, height }), { data }));

/** Used in place of the encoders of the chunks. */
function keepFrames(): Pick<EncodingJob, 'startSegment'> & { images(): Image[] } {
  const chunks = new Map<number, Image[]>();
  const startSegment: EncodingJob['startSegment'] = (_, { pixels, width, height }, { start }) => {
    const kept: Image[] = [];
    chunks.set(start, kept);
    return {
      path: '',
      async write(data, count) {
        const image = pixels === 'png' ? PNG.sync.read(Buffer.from(data)) : { width, height, data: Buffer.from(data) };
        for (let copy = 0; copy < count; copy++) kept.push(image);
      },
      finish: async () => undefined,
    };
  };
  return { startSegment, images: () => [...chunks].sort(([a], [b]) => a - b).flatMap(([, kept]) => kept) };
}
