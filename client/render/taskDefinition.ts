// Tasks of type `framework` as tasks.json writes them: what is wrong with one, and the command that it stands for.
import { l10n } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { CliJob } from './jobs.ts';

/** Paths are relative to the workspace folder, with either kind of slash. */
export type RenderTaskDefinition = {
  type: 'framework';
  composition: string;
  variables?: Readonly<Record<string, unknown>>;
  variablesFile?: string;
  /** A file with rows. */
  batch?: string;
  output?: string;
  /** More options of `framework render`, a word each. */
  options?: readonly string[];
};

/** A sentence about the first thing that is wrong; undefined for a definition that can be used. */
export function checkDefinition(given: Readonly<Record<string, unknown>>): string | undefined {
  const { composition, variables, options } = given;
  if (typeof composition !== 'string' || composition === '')
    return l10n.t('The task names no composition: write the path of an HTML file as "composition".');
  const text = ['variablesFile', 'batch', 'output'].find(
    (name) => !['string', 'undefined'].includes(typeof given[name]),
  );
  if (text !== undefined) return l10n.t('"{0}" of the task must be a text.', text);
  if (variables !== undefined && (typeof variables !== 'object' || variables === null || Array.isArray(variables)))
    return l10n.t('"{0}" of the task must be an object.', 'variables');
  if (variables !== undefined && given.variablesFile !== undefined)
    return l10n.t('The task has "variables" and "variablesFile": use one of them.');
  if (options !== undefined && !(Array.isArray(options) && options.every((one) => typeof one === 'string')))
    return l10n.t('"{0}" of the task must be a list of texts.', 'options');
  return undefined;
}

/** `pathOf` makes an absolute path of one in the workspace folder; `folder` is the project's. */
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
