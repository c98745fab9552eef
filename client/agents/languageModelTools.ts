// VS Code's language model tools: lint, list variables, snapshot and render. They run the bundled CLI.
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type {
  EditorLintInput,
  EditorRenderInput,
  EditorSnapshotInput,
  EditorVariablesInput,
} from '../../cli/mcp/toolDefinitions.ts';
import {
  type LintResult,
  lintText,
  type RenderResult,
  renderText,
  type SnapshotResult,
  snapshotFileText,
  snapshotText,
  type ToolError,
  toolErrorText,
  type VariablesResult,
  variablesText,
} from '../../cli/mcp/toolText.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { currentBlock } from '../languageStatus.ts';
import { programOptions } from './programOptions.ts';
import { lintCommand, renderCommand, snapshotCommand, type ToolCommand, variablesCommand } from './toolArguments.ts';
import { insideWorkspace } from './toolPaths.ts';

/** Registers nothing if the editor has no language model tools or cannot start programs. */
export function createLanguageModelTools(tools: ExtensionServices): vscode.Disposable[] {
  const { lm } = vscode as { lm?: Partial<typeof vscode.lm> };
  if (!lm?.registerTool || !tools.host.startCli) return [];
  const add = <Input extends { path?: string }>(name: string, tool: EditorTool<Input>): vscode.Disposable =>
    vscode.lm.registerTool<Input>(name, {
      prepareInvocation: ({ input }) => ({
        invocationMessage: tool.progressText(input.path ?? ''),
        ...confirmationMessagesOf(tool.confirmation?.(input)),
      }),
      invoke: async ({ input }, token) => run(tools, tool, input, token),
    });
  return [
    add('framework_lint', lint),
    add('framework_listVariables', listVariables),
    add('framework_snapshot', snapshot),
    add('framework_render', render),
  ];
}

type EditorTool<Input> = {
  /** Shown while the tool runs. */
  progressText(path: string): string;
  /** The question to the user before the tool runs. */
  confirmation?(input: Input): vscode.LanguageModelToolConfirmationMessages | undefined;
  /** Whether the tool runs the composition's page, which needs a trusted workspace. */
  runsPages: boolean;
  run(
    dir: string,
    input: Input,
    runCommand: RunCommand,
    tools: ExtensionServices,
  ): Promise<vscode.LanguageModelToolResult>;
};

const confirmationMessagesOf = (confirmationMessages: vscode.LanguageModelToolConfirmationMessages | undefined) =>
  confirmationMessages ? { confirmationMessages } : {};

/** Rejects with a `ToolError`. */
type RunCommand = <Answer>(call: ToolCommand) => Promise<Answer>;

const text = (value: string) => new vscode.LanguageModelTextPart(value);
const textResult = (value: string) => new vscode.LanguageModelToolResult([text(value)]);

const lint: EditorTool<EditorLintInput> = {
  progressText: (path) => l10n.t('Checking {0}', path || l10n.t('the compositions')),
  confirmation({ path, fix }) {
    if (!fix) return undefined;
    const message = l10n.t('Applies the safe fixes to files in {0}.', path || l10n.t('the workspace'));
    return { title: l10n.t('Fix problems in compositions?'), message };
  },
  runsPages: false,
  run: async (dir, input, runCommand) => textResult(lintText(await runCommand<LintResult>(lintCommand(dir, input)))),
};

const listVariables: EditorTool<EditorVariablesInput> = {
  progressText: (path) => l10n.t('Listing the variables of {0}', path || l10n.t('the compositions')),
  runsPages: false,
  run: async (dir, _, runCommand) =>
    textResult(variablesText(await runCommand<VariablesResult>(variablesCommand(dir)))),
};

let snapshots = 0;

const snapshot: EditorTool<EditorSnapshotInput> = {
  progressText: (path) => l10n.t('Taking a snapshot of {0}', path || l10n.t('the composition')),
  runsPages: true,
  async run(dir, input, runCommand, { context }) {
    const folder = context.storageUri ?? context.globalStorageUri;
    await vscode.workspace.fs.createDirectory(folder);
    const file = vscode.Uri.joinPath(folder, `snapshot-${Date.now()}-${snapshots++}.jpg`);
    const answer = await runCommand<SnapshotResult>(snapshotCommand(dir, input, file.fsPath, programOptions()));
    const { LanguageModelDataPart: part } = vscode as unknown as {
      LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): unknown };
    };
    // Older editors have no images in tool results, so the result names the file.
    if (!part) return textResult(snapshotFileText(answer, file.fsPath));
    const image = part.image(await vscode.workspace.fs.readFile(file), 'image/jpeg');
    await vscode.workspace.fs.delete(file);
    return new vscode.LanguageModelToolResult([image as vscode.LanguageModelTextPart, text(snapshotText(answer))]);
  },
};

const render: EditorTool<EditorRenderInput> = {
  progressText: (path) => l10n.t('Rendering {0}', path || l10n.t('the composition')),
  confirmation: ({ path, output }) => ({
    title: l10n.t('Render a video?'),
    message: l10n.t(
      'Renders {0} to {1}.',
      path || l10n.t('the composition of the workspace'),
      output ?? l10n.t('its "renders" folder'),
    ),
  }),
  runsPages: true,
  async run(dir, input, runCommand) {
    const output = input.output === undefined ? undefined : pathInWorkspace(input.output, dir);
    return textResult(renderText(await runCommand<RenderResult>(renderCommand(dir, input, output, programOptions()))));
  },
};

async function run<Input extends { path?: string }>(
  tools: ExtensionServices,
  tool: EditorTool<Input>,
  input: Input,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const block = currentBlock(true);
  if (block && (tool.runsPages || !vscode.workspace.isTrusted)) throw new Error(block.message);
  try {
    const dir = pathInWorkspace(input.path);
    return await tool.run(dir, input, (call) => runCommandLine(tools, call, dir, token), tools);
  } catch (error) {
    // The model reads the message to correct its input or the composition.
    throw new Error(error instanceof Error ? error.message : toolErrorText(error as ToolError));
  }
}

/** Throws for a path outside the workspace. `from`: the project folder that relative paths start from. */
function pathInWorkspace(path: string | undefined, from?: string): string {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath.replaceAll('\\', '/'));
  const isRelative = path !== undefined && !/^([\\/]|[a-z]:)/i.test(path);
  const folder = from?.replace(/\/[^/]*\.html?$/i, '');
  const found = insideWorkspace(isRelative && folder ? `${folder}/${path}` : path, { folders });
  if ('path' in found) return found.path;
  throw new Error(
    found.reason === 'empty'
      ? l10n.t('No folder is open. Open a project folder first.')
      : l10n.t('{0} is outside the workspace.', path ?? ''),
  );
}

/** Returns the JSON output, also of a command that exits with 1 because it found errors. */
async function runCommandLine<Answer>(
  { host, extensionPath }: ExtensionServices,
  { args, stdin }: ToolCommand,
  dir: string,
  token: vscode.CancellationToken,
): Promise<Answer> {
  let output = '';
  const lines: string[] = [];
  const started = host.startCli?.(extensionPath, {
    args,
    stdin,
    // Default outputs are relative to the working directory, so run in the project folder.
    cwd: dir.replace(/\/[^/]*\.html?$/i, ''),
    onEvent: () => undefined,
    onText: (line) => lines.push(line),
    onOutput: (piece) => {
      output += piece;
    },
  });
  if (!started) throw new Error(l10n.t('VS Code for the Web cannot start programs.'));
  const cancelling = token.onCancellationRequested(started.cancel);
  try {
    await started.status;
  } finally {
    cancelling.dispose();
  }
  if (token.isCancellationRequested) throw new vscode.CancellationError();
  const answer = JSON.parse(output || 'null') as (Answer & { error?: ToolError }) | null;
  if (answer === null) throw new Error(lines.join('\n') || l10n.t('The command exited without a result.'));
  if (answer.error) throw answer.error;
  return answer;
}
