// Task definitions of type `framework` in tasks.json: their validation and their command line.
import { l10n } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliJob } from './jobArguments.ts';

/** Paths are relative to the workspace folder, with slashes or backslashes. */
export type RenderTaskDefinition = {
  type: 'framework';
  composition: string;
  variables?: Readonly<Record<string, unknown>>;
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

/** `pathOf` resolves a path against the workspace folder. `folder` is the project folder. */
export function taskJob(
  definition: RenderTaskDefinition,
  { composition, folder, pathOf }: { composition: CompositionInfo; folder: string; pathOf(path: string): string },
): CliJob {
  const { variables, variablesFile, batch, output, options = [] } = definition;
  const paths = { 'variables-file': variablesFile, batch, output };
  const args = [
    ...['render', folder, `--composition=${composition.path}`],
    ...Object.entries(paths).flatMap(([name, path]) => (path === undefined ? [] : [`--${name}=${pathOf(path)}`])),
    ...(variables === undefined ? [] : ['--variables-file=-']),
    ...options,
    '--quiet',
  ];
  return { args, folder, stdin: variables === undefined ? '' : JSON.stringify(variables), isLocal: true };
}
