// Provides the tasks of type `framework`: one for each composition of the workspace, and those defined in tasks.json.
import {
  CustomExecution,
  type Disposable,
  l10n,
  Task,
  type TaskDefinition,
  TaskGroup,
  tasks,
  Uri,
  type WorkspaceFolder,
  workspace,
} from 'vscode';
import type { CompositionInfo } from '../../../server/protocol.ts';
import { compositionName } from '../../compositions/compositionName.ts';
import type { ExtensionServices } from '../../extensionServices.ts';
import { currentBlock } from '../../language/languageStatus.ts';
import { resultOrLog } from '../../language/serverResult.ts';
import { folderOf, type RenderJob } from '../renderJobs.ts';
import { shownValues } from '../shownValues.ts';
import { checkDefinition, type RenderTaskDefinition, taskJob, taskValues } from './taskDefinition.ts';
import { createTaskTerminal } from './taskTerminal.ts';

export function registerTasks(services: ExtensionServices): Disposable {
  return tasks.registerTaskProvider('framework', {
    async provideTasks() {
      if (currentBlock(services.host.startCli !== undefined)) return [];
      const all = await resultOrLog(services.server.request('framework/compositions', null), services.log);
      return (all ?? []).flatMap((composition) => {
        const folder = workspace.getWorkspaceFolder(Uri.parse(composition.uri));
        if (!folder) return [];
        const path = workspace.asRelativePath(Uri.parse(composition.uri), false);
        const definition = { type: 'framework', composition: path };
        return [renderTask(definition, folder, l10n.t('render {0}', path), services)];
      });
    },
    /** For tasks.json. A definition is checked when the task runs, so that its terminal can show the error. */
    resolveTask({ definition, scope, name }) {
      const folder = typeof scope === 'object' ? scope : workspace.workspaceFolders?.[0];
      return folder && renderTask(definition, folder, name, services);
    },
  });
}

function renderTask(
  definition: TaskDefinition,
  folder: WorkspaceFolder,
  name: string,
  services: ExtensionServices,
): Task {
  // A custom execution can cancel the render cleanly when the terminal is closed, on Windows too, and adds it to the history.
  const execution = new CustomExecution(async (resolved) => {
    // In `resolved`, variables such as ${file} have been replaced.
    const given = { ...definition, ...resolved };
    return createTaskTerminal(() => jobOf(given, folder, name, services), services.renders.jobs);
  });
  const task = new Task(definition, folder, name, 'framework', execution, ['$framework']);
  task.group = TaskGroup.Build;
  task.detail = l10n.t('Renders the composition to a video.');
  return task;
}

async function jobOf(
  given: TaskDefinition,
  folder: WorkspaceFolder,
  name: string,
  { host, server, values: drafts, videoSize }: ExtensionServices,
): Promise<RenderJob | string> {
  const block = currentBlock(host.startCli !== undefined);
  if (block) return block.message;
  const invalid = checkDefinition(given);
  if (invalid !== undefined) return invalid;
  const definition = given as unknown as RenderTaskDefinition;
  const uri = uriIn(folder, definition.composition);
  const composition: CompositionInfo | null = await server.request('framework/composition', { uri: uri.toString() });
  if (!composition) return l10n.t('{0} is not a composition of this workspace.', definition.composition);
  const pathOf = (path: string) => uriIn(folder, path).fsPath;
  const { batch, output } = definition;
  const shown = shownValues(composition, drafts);
  return {
    key: `${composition.uri}#${output === undefined ? '' : pathOf(output)}${batch ?? ''}`,
    name: batch ?? compositionName(composition),
    title: name,
    kind: batch === undefined ? 'render' : 'batch',
    composition,
    values: taskValues(definition, shown) ?? {},
    ...(batch === undefined ? {} : { batch: { uri: uriIn(folder, batch).toString(), template: output ?? '' } }),
    isTask: true,
    cli: taskJob(definition, {
      composition,
      folder: folderOf(composition),
      pathOf,
      values: shown,
      size: videoSize.current(),
    }),
  };
}

/** Resolves a path of tasks.json against the workspace folder. */
function uriIn(folder: WorkspaceFolder, path: string): Uri {
  const normalized = path.replaceAll('\\', '/');
  return /^(?:\/|[a-z]:)/i.test(normalized) ? Uri.file(normalized) : Uri.joinPath(folder.uri, normalized);
}
