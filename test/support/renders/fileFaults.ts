// Renders that fail because of a file of the page, and the error that names it.
import { join } from 'node:path';
import { expect } from 'vitest';
import { UserError } from '../../../renderer-core/errors.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { temporaryFolder } from '../project.ts';
import { warmRenderer } from './warmRender.ts';

export type Fault = { code: string; message: RegExp; place?: string; hint?: RegExp };

const renderVideo = warmRenderer();

/** The error of a render, or a text if it succeeds. */
export async function failureOf(projectDir: string, request: Partial<RenderRequest> = {}): Promise<unknown> {
  const output = join(temporaryFolder(), 'frames');
  return renderVideo({ projectDir, output, format: 'png', fps: '10', ...request }).then(
    () => 'the render succeeded',
    (error: unknown) => error,
  );
}

export async function checkFault(projectDir: string, { code, message, place, hint = /\.$/ }: Fault): Promise<void> {
  const error = await failureOf(projectDir);
  if (!(error instanceof UserError)) throw error;
  const at = error.place && `${error.place.file}:${error.place.line}`;
  expect({ code: error.code, message: error.message, place: at, hint: error.hint }).toEqual({
    code,
    message: expect.stringMatching(message),
    place,
    hint: expect.stringMatching(hint),
  });
}

/** The body of `composition` starts on line 4. */
export const bodyLine = 4;
