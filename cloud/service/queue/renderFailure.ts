// What went wrong with a render, as its owner is told: a code of the API, and where it is in their own files.
import { type ErrorCode, UserError } from '../errors.ts';
import { ApiError } from './apiErrors.ts';

export type RenderFailure = { code: string; message: string };

/** Faults of the project, which another attempt would meet again. */
const projectFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['project_not_found', 'composition_not_found', 'composition_invalid', 'config_invalid'] as const),
  ...(['variables_invalid', 'asset_missing', 'media_unreadable', 'asset_invalid', 'script_error'] as const),
  ...(['no_duration', 'timing_invalid', 'framework_project_invalid'] as const),
]);

/** `hidden` are texts that say where things are on this machine: folders with a slash at the end, origins. */
export function renderFailure(error: unknown, hidden: readonly string[]): RenderFailure {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  if (!(error instanceof UserError)) return internalFailure;
  if (error.code === 'page_crashed') return { code: 'internal_error', message: error.message };
  const isProject = projectFaults.has(error.code);
  if (!isProject && error.code !== 'usage') return internalFailure;
  const message = withoutPaths(describe(error), hidden);
  return { code: isProject ? 'framework_project_invalid' : 'invalid_parameter', message };
}

export const internalFailure: RenderFailure = {
  code: 'internal_error',
  message: 'Something went wrong in the service while the video was rendered. It costs nothing; order it again.',
};

/** `scene.html:12: what is wrong. What to do.` */
function describe({ message, hint, place }: UserError): string {
  const where = place === undefined ? '' : `${place.file}${place.line === undefined ? '' : `:${place.line}`}: `;
  // Some hints are about the command line and this machine.
  const advice = hint === undefined || /--\w|framework doctor|TMPDIR|FRAMEWORK_/.test(hint) ? '' : hint;
  return [where + sentence(message), advice].filter((part) => part !== '').join(' ');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The text without any of `hidden`. */
export function withoutPaths(text: string, hidden: readonly string[]): string {
  return hidden.reduce((rest, part) => rest.replaceAll(part, ''), text);
}
