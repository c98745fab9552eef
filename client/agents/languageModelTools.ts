// Tools that language models of the editor can call: lint, list variables, snapshot and render, by the bundled command line.
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { currentBlock } from '../languageStatus.ts';
import type { Tools } from '../tools.ts';
import { programOptions } from './programOptions.ts';
import {
  type LintInput,
  lintCall,
  type RenderInput,
  renderCall,
  type SnapshotInput,
  snapshotCall,
  type ToolCall,
  type VariablesInput,
  variablesCall,
} from './toolArguments.ts';
import { insideWorkspace } from './toolPaths.ts';
import {
  errorText,
  type LintAnswer,
  lintText,
  pictureText,
  type RenderAnswer,
  renderText,
  type SnapshotAnswer,
  snapshotText,
  type ToolError,
  type VariablesAnswer,
  variablesText,
} from './toolText.ts';

/** Nothing is registered in an editor that knows no such tools, or cannot start programs. */
export function createLanguageModelTools(tools: Tools): vscode.Disposable[] {
  const { lm } = vscode as { lm?: Partial<typeof vscode.lm> };
  if (!lm?.registerTool || !tools.host.startCli) return [];
  const add = <Input extends { path?: string }>(name: string, tool: ToolRow<Input>): vscode.Disposable =>
    vscode.lm.registerTool<Input>(name, {
      prepareInvocation: ({ input }) => ({
        invocationMessage: tool.doing(input.path ?? ''),
        ...confirmation(tool.asks?.(input)),
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

type ToolRow<Input> = {
  doing(path: string): string;
  /** Asked before it is run. */
  asks?(input: Input): vscode.LanguageModelToolConfirmationMessages | undefined;
  /** Whether pages are run for it. */
  runsPages: boolean;
  run(dir: string, input: Input, ask: Ask, tools: Tools): Promise<vscode.LanguageModelToolResult>;
};

const confirmation = (confirmationMessages: vscode.LanguageModelToolConfirmationMessages | undefined) =>
  confirmationMessages ? { confirmationMessages } : {};

/** Fails with a `ToolError`. */
type Ask = <Answer>(call: ToolCall) => Promise<Answer>;

const text = (value: string) => new vscode.LanguageModelTextPart(value);
const said = (value: string) => new vscode.LanguageModelToolResult([text(value)]);

const lint: ToolRow<LintInput> = {
  doing: (path) => l10n.t('Checking {0}', path || l10n.t('the compositions')),
  asks({ path, fix }) {
    if (!fix) return undefined;
    const message = l10n.t('Changes files of {0}.', path || l10n.t('the workspace'));
    return { title: l10n.t('Fix what is wrong with compositions?'), message };
  },
  runsPages: false,
  run: async (dir, input, ask) => said(lintText(await ask<LintAnswer>(lintCall(dir, input)))),
};

const listVariables: ToolRow<VariablesInput> = {
  doing: (path) => l10n.t('Listing the variables of {0}', path || l10n.t('the compositions')),
  runsPages: false,
  run: async (dir, _, ask) => said(variablesText(await ask<VariablesAnswer>(variablesCall(dir)))),
};

let pictures = 0;

const snapshot: ToolRow<SnapshotInput> = {
  doing: (path) => l10n.t('Looking at {0}', path || l10n.t('the composition')),
  runsPages: true,
  async run(dir, input, ask, { context }) {
    const folder = context.storageUri ?? context.globalStorageUri;
    await vscode.workspace.fs.createDirectory(folder);
    const file = vscode.Uri.joinPath(folder, `snapshot-${Date.now()}-${pictures++}.jpg`);
    const answer = await ask<SnapshotAnswer>(snapshotCall(dir, input, file.fsPath, programOptions()));
    const { LanguageModelDataPart: part } = vscode as unknown as {
      LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): unknown };
    };
    // An editor that has no pictures in answers gets the file's name.
    if (!part) return said(`${snapshotText(answer)}\n${pictureText(file.fsPath)}`);
    const image = part.image(await vscode.workspace.fs.readFile(file), 'image/jpeg');
    await vscode.workspace.fs.delete(file);
    return new vscode.LanguageModelToolResult([image as vscode.LanguageModelTextPart, text(snapshotText(answer))]);
  },
};

const render: ToolRow<RenderInput> = {
  doing: (path) => l10n.t('Rendering {0}', path || l10n.t('the composition')),
  asks: ({ path, output }) => ({
    title: l10n.t('Render a video?'),
    message: l10n.t(
      'Renders {0} to {1}.',
      path || l10n.t('the composition of the workspace'),
      output ?? l10n.t('its folder "renders"'),
    ),
  }),
  runsPages: true,
  async run(dir, input, ask) {
    const output = input.output === undefined ? undefined : placeOf(input.output, dir);
    return said(renderText(await ask<RenderAnswer>(renderCall(dir, input, output, programOptions()))));
  },
};

async function run<Input extends { path?: string }>(
  tools: Tools,
  tool: ToolRow<Input>,
  input: Input,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const block = currentBlock(true);
  if (block && (tool.runsPages || !vscode.workspace.isTrusted)) throw new Error(block.message);
  try {
    const dir = placeOf(input.path);
    return await tool.run(dir, input, (call) => askCommandLine(tools, call, dir, token), tools);
  } catch (error) {
    // The model reads the message: that is how it learns what to correct.
    throw new Error(error instanceof Error ? error.message : errorText(error as ToolError));
  }
}

/** Throws for a place outside the workspace. A relative output begins in the project folder. */
function placeOf(path: string | undefined, from?: string): string {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath.replaceAll('\\', '/'));
  const isRelative = path !== undefined && !/^([\\/]|[a-z]:)/i.test(path);
  const folder = from?.replace(/\/[^/]*\.html?$/i, '');
  const found = insideWorkspace(isRelative && folder ? `${folder}/${path}` : path, { folders });
  if ('path' in found) return found.path;
  throw new Error(
    found.reason === 'empty'
      ? l10n.t('No folder is open: open the folder of a project first.')
      : l10n.t('{0} is outside the workspace.', path ?? ''),
  );
}

/** A command that has found errors ends with status 1 and has answered all the same. */
async function askCommandLine<Answer>(
  { host, extensionPath }: Tools,
  { args, stdin }: ToolCall,
  dir: string,
  token: vscode.CancellationToken,
): Promise<Answer> {
  let output = '';
  const lines: string[] = [];
  const started = host.startCli?.(extensionPath, {
    args,
    stdin,
    // A composition is rendered beside itself, wherever the editor was started.
    cwd: dir.replace(/\/[^/]*\.html?$/i, ''),
    onEvent: () => undefined,
    onText: (line) => lines.push(line),
    onOutput: (piece) => {
      output += piece;
    },
  });
  if (!started) throw new Error(l10n.t('No program can be started here.'));
  const cancelling = token.onCancellationRequested(started.cancel);
  try {
    await started.status;
  } finally {
    cancelling.dispose();
  }
  if (token.isCancellationRequested) throw new vscode.CancellationError();
  const answer = JSON.parse(output || 'null') as (Answer & { error?: ToolError }) | null;
  if (answer === null) throw new Error(lines.join('\n') || l10n.t('The command ended without an answer.'));
  if (answer.error) throw answer.error;
  return answer;
}
