// Task definitions of type `framework` in tasks.json: their validation and their command line.
import { l10n } from 'vscode';
import type { Values } from '../../compositions/draftValues.ts';
import { type CliJob, type Subject, videoArgs } from '../jobArguments.ts';

/** Paths are relative to the workspace folder, with slashes or backslashes. */
export type RenderTaskDefinition = {
  type: 'framework';
  composition: string;
  /** Without `variables`, `variablesFile` and `batch`, the values that the preview and the form show. */
  variables?: Values;
  variablesFile?: string;
  /** Path of a batch file. */
  batch?: string;
  output?: string;
  /** More options of `framework render`, one per item. */
  options?: readonly string[];
};

/** Returns the first error, or undefined when the definition is valid. */
export function checkDefinition(given: Readonly<Record<string, unknown>>): string | undefined {
  const { composition, variables, options } = given;
  if (typeof composition !== 'string' || composition === '')
    return l10n.t('The task has no "composition". Set it to the path of an HTML file.');
  const text = ['variablesFile', 'batch', 'output'].find(
    (name) => !['string', 'undefined'].includes(typeof given[name]),
  );
  if (text !== undefined) return l10n.t('"{0}" of the task must be a string.', text);
  if (variables !== undefined && (typeof variables !== 'object' || variables === null || Array.isArray(variables)))
    return l10n.t('"{0}" of the task must be an object.', 'variables');
  if (variables !== undefined && given.variablesFile !== undefined)
    return l10n.t('The task has both "variables" and "variablesFile". Use only one of them.');
  if (options !== undefined && !(Array.isArray(options) && options.every((one) => typeof one === 'string')))
    return l10n.t('"{0}" of the task must be an array of strings.', 'options');
  return undefined;
}

const names = (options: readonly string[], option: RegExp): boolean => options.some((one) => option.test(one));
const valuesOption = /^--variables(?:-file)?(?:=|$)/;
const sizeOption = /^--(?:resolution|width|height|aspect-ratio|fit|background)(?:=|$)/;

/** The values to send: those of the task, or else `shown`. Undefined when a file or an option has them. */
export function taskValues(
  { variables, variablesFile, batch, options = [] }: RenderTaskDefinition,
  shown: Values,
): Values | undefined {
  if (variables !== undefined) return variables;
  return variablesFile !== undefined || batch !== undefined || names(options, valuesOption) ? undefined : shown;
}

/**
 * `pathOf` resolves a path against the workspace folder. `folder` is the project folder. `values` and `size` are those of the
 * preview, for a task that has none of its own.
 */
export function taskJob(
  definition: RenderTaskDefinition,
  { composition, folder, pathOf, values, size }: Subject & { pathOf(path: string): string },
): CliJob {
  const { variablesFile, batch, output, options = [] } = definition;
  const sent = taskValues(definition, values) ?? {};
  const hasValues = Object.keys(sent).length > 0;
  const paths = { 'variables-file': variablesFile, batch, output };
  const args = [
    ...['render', folder, `--composition=${composition.path}`],
    ...Object.entries(paths).flatMap(([name, path]) => (path === undefined ? [] : [`--${name}=${pathOf(path)}`])),
    ...(hasValues ? ['--variables-file=-'] : []),
    ...(names(options, sizeOption) ? [] : videoArgs(size)),
    ...options,
    '--quiet',
  ];
  return { args, folder, stdin: hasValues ? JSON.stringify(sent) : '', isLocal: true };
}
