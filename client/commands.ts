// The commands that render: from what was clicked to a checked composition, its values, and the render itself.
import { commands, type Disposable, type LogOutputChannel, Uri, window } from 'vscode';
import type { CompositionInfo } from '../server/protocol.ts';
import { activeFile } from './activeFile.ts';
import { askValues } from './askValues.ts';
import type { Host } from './host.ts';
import type { LanguageServer } from './languageServer.ts';
import { currentBlock } from './languageStatus.ts';
import { createRenders } from './renders.ts';
import { saveBefore } from './saveBefore.ts';
import { changedValues, type Value } from './valueText.ts';

export type RenderTools = { extensionPath: string; host: Host; server: LanguageServer; log: LogOutputChannel };

/** Disposing them ends the renders that are under way. */
export function createRenderCommands(tools: RenderTools): Disposable[] {
  const renders = createRenders(tools);
  return [
    renders,
    commands.registerCommand('framework.render', async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      if (composition && (await saveBefore(composition))) await renders.run(composition, {});
    }),
    commands.registerCommand('framework.renderWithVariables', async (given: unknown) => {
      const composition = await compositionOf(given, tools);
      if (!composition) return;
      const values = await valuesFor(composition);
      if (values && (await saveBefore(composition))) await renders.run(composition, values);
    }),
  ];
}

async function valuesFor({ variables, path }: CompositionInfo): Promise<Record<string, Value> | undefined> {
  if (variables.length === 0) {
    const render = 'Render';
    const message = `${path} declares no variables.`;
    return (await window.showInformationMessage(message, render)) === render ? {} : undefined;
  }
  const values = await askValues(variables, `Render ${path}`);
  return values && changedValues(variables, values);
}

/** The composition that a command is for, or undefined after a message that says why there is none to render. */
async function compositionOf(given: unknown, { host, server }: RenderTools): Promise<CompositionInfo | undefined> {
  const block = currentBlock(host.startCli !== undefined);
  if (block) return refuse(block.message, block.way);
  const uri = uriOf(given) ?? activeFile();
  if (!uri) return refuse('Open a composition first: an HTML file with a data-composition-id.');
  if (uri.scheme === 'untitled') {
    return refuse('Save this file first: a render reads files from the disk.', {
      title: 'Save',
      command: 'workbench.action.files.save',
    });
  }
  if (uri.scheme !== 'file')
    return refuse(`A render reads files from a disk, and this one (${uri.scheme}:) is not on one.`);
  try {
    const composition = await server.ask('framework/composition', { uri: uri.toString() });
    return composition ?? refuse(`${nameOf(uri)} is no composition: no element in it has a data-composition-id.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(`The language server, which knows the composition, is not there: ${reason}`, {
      title: 'Restart It',
      command: 'framework.restartServer',
    });
  }
}

/** From the explorer a `Uri` comes, from a code lens plain JSON, from a keybinding whatever its author wrote. */
function uriOf(given: unknown): Uri | undefined {
  if (given instanceof Uri) return given;
  const text = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return typeof text === 'string' && text !== '' ? Uri.parse(text) : undefined;
}

function nameOf(uri: Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

async function refuse(message: string, way?: { title: string; command: string }): Promise<undefined> {
  const chosen = await (way ? window.showWarningMessage(message, way.title) : window.showWarningMessage(message));
  if (way && chosen === way.title) await commands.executeCommand(way.command);
}
