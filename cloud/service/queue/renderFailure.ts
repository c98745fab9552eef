// Turns an error of a render into what its owner sees: an API error code, and a message about their own files.
import { type ErrorCode, UserError } from '../../../renderer-core/errors.ts';
import { ApiError } from '../api/apiErrors.ts';

export type RenderFailure = { code: string; message: string };

/** Errors in the project, which another attempt would meet again. */
const projectErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['project_not_found', 'composition_not_found', 'composition_invalid', 'config_invalid'] as const),
  ...(['variables_invalid', 'asset_missing', 'media_unreadable', 'asset_invalid', 'script_error'] as const),
  ...(['no_duration', 'timing_invalid', 'framework_project_invalid'] as const),
]);

/** `hidden`: strings that must not appear in the message, such as folders of this machine (with a slash at the end). */
export function renderFailure(error: unknown, hidden: readonly string[]): RenderFailure {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  if (!(error instanceof UserError)) return internalFailure;
  if (error.code === 'page_crashed') return pageCrashed;
  const isProject = projectErrors.has(error.code);
  if (!isProject && error.code !== 'usage') return internalFailure;
  const message = withoutPaths(describe(error), hidden);
  return { code: isProject ? 'framework_project_invalid' : 'invalid_parameter', message };
}

/** Seen only if every attempt failed. */
const pageCrashed: RenderFailure = {
  code: 'page_crashed',
  message:
    'The page crashed the browser, also when the render was started again. It may need too much memory: use smaller images, or fewer at the same time.',
};

/** Whether another attempt may succeed: a process was killed, or the machine had too little memory for a moment. */
export const mayPass = ({ code }: RenderFailure): boolean => code === internalFailure.code || code === pageCrashed.code;

export const internalFailure: RenderFailure = {
  code: 'internal_error',
  message: 'An internal error occurred while the video was rendered. You were not charged; submit the render again.',
};

export const deletedFailure: RenderFailure = {
  code: 'render_deleted',
  message: 'The render was deleted before it was completed.',
};

/** `scene.html:12: message. Hint.` */
function describe({ message, hint, place }: UserError): string {
  const location = place === undefined ? '' : `${place.file}${place.line === undefined ? '' : `:${place.line}`}: `;
  // Hints about the command line or this machine do not help the user of the API.
  const advice = hint === undefined || /--\w|framework doctor|TMPDIR|FRAMEWORK_/.test(hint) ? '' : hint;
  return [location + sentence(message), advice].filter((part) => part !== '').join(' ');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export function withoutPaths(text: string, hidden: readonly string[]): string {
  return hidden.reduce((rest, part) => rest.replaceAll(part, ''), text);
}
