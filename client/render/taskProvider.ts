// Tasks of VS Code: one for each composition of the workspace, and those that tasks.json writes itself.
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
import type { CompositionInfo } from '../../server/protocol.ts';
import { currentBlock } from '../languageStatus.ts';
import type { Tools } from '../tools.ts';
import { checkDefinition, type RenderTaskDefinition, taskJob } from './taskDefinition.ts';
import { createTaskTerminal } from './taskTerminal.ts';
import { folderOf, type Work } from './underWay.ts';

export function registerTasks(tools: Tools): Disposable {
  return tasks.registerTaskProvider('framework', {
    async provideTasks() {
      if (currentBlock(tools.host.startCli !== undefined)) return [];
      const all = await tools.server.ask('framework/compositions', null).catch(() => []);
      return all.flatMap((composition) => {
        const folder = workspace.getWorkspaceFolder(Uri.parse(composition.uri));
        if (!folder) return [];
        const path = workspace.asRelativePath(Uri.parse(composition.uri), false);
        const definition = { type: 'framework', composition: path };
        return [renderTask(definition, folder, l10n.t('render {0}', path), tools)];
      });
    },
    /** Those of tasks.json; a definition is checked when the task runs, where its terminal can say what is wrong. */
    resolveTask({ definition, scope, name }) {
      const folder = typeof scope === 'object' ? scope : workspace.workspaceFolders?.[0];
      return folder && renderTask(definition, folder, name, tools);
    },
  });
}

function renderTask(definition: TaskDefinition, folder: WorkspaceFolder, name: string, tools: Tools): Task {
  // A terminal of our own: the render ends in order when it is closed, on Windows too, and is told to the history.
  const execution = new CustomExecution(async (resolved) => {
    // Variables as ${file} have been replaced by then.
    const given = { ...definition, ...resolved };
    return createTaskTerminal(() => workOf(given, folder, name, tools), tools.renders.underWay);
  });
  const task = new Task(definition, folder, name, 'framework', execution, ['$framework']);
  task.group = TaskGroup.Build;
  task.detail = l10n.t('Renders the composition to a video.');
  return task;
}

async function workOf(
  given: TaskDefinition,
  folder: WorkspaceFolder,
  name: string,
  { host, server }: Tools,
): Promise<Work | string> {
  const block = currentBlock(host.startCli !== undefined);
  if (block) return block.message;
  const wrong = checkDefinition(given);
  if (wrong !== undefined) return wrong;
  const definition = given as unknown as RenderTaskDefinition;
  const uri = uriIn(folder, definition.composition);
  const composition: CompositionInfo | null = await server.ask('framework/composition', { uri: uri.toString() });
  if (!composition) return l10n.t('{0} is no composition of this workspace.', definition.composition);
  const pathOf = (path: string) => uriIn(folder, path).fsPath;
  const { variables = {}, batch, output } = definition;
  return {
    key: `${composition.uri}#${output === undefined ? '' : pathOf(output)}${batch ?? ''}`,
    name: batch ?? composition.path,
    title: name,
    kind: batch === undefined ? 'render' : 'batch',
    composition,
    values: variables,
    ...(batch === undefined ? {} : { batch: { uri: uriIn(folder, batch).toString(), template: output ?? '' } }),
    isTask: true,
    job: taskJob(definition, { composition, folder: folderOf(composition), pathOf }),
  };
}

/** A path of tasks.json: relative to the workspace folder, or absolute. */
function uriIn(folder: WorkspaceFolder, path: string): Uri {
  const plain = path.replaceAll('\\', '/');
  return /^(?:\/|[a-z]:)/i.test(plain) ? Uri.file(plain) : Uri.joinPath(folder.uri, plain);
}
