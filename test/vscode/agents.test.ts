// Agents of VS Code with AI features: the confirmation of tools that change files, and the list of MCP servers.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { suiteWindow } from './suiteWindow.ts';
import { runCommand, selectors, waitForText } from './ui.ts';
import { saveScreenshot } from './workbench.ts';

const composition = `<!doctype html>
<html>
  <body>
    <div data-composition-id="main" data-width="64" data-height="36" data-duration="0.2">
      <p data-start="0" data-duration="0.2" style="color: #fff">Hello</p>
    </div>
  </body>
</html>
`;

/** A packed extension in the place of an agent: it calls the tool, and writes the answer or the error to `answers`. */
async function packAgent(folder: string, answers: string): Promise<string> {
  const extension = join(folder, 'agent');
  await mkdir(extension, { recursive: true });
  const commands = [{ command: 'agent.render', title: 'Agent: Render' }];
  const description = {
    ...{ name: 'agent', publisher: 'test', version: '1.0.0', engines: manifest.engines },
    ...{ main: './main.cjs', activationEvents: [], contributes: { commands } },
  };
  await writeFile(join(extension, 'package.json'), JSON.stringify(description));
  await writeFile(
    join(extension, 'main.cjs'),
    `const { writeFileSync } = require('node:fs');
const vscode = require('vscode');
let calls = 0;
exports.activate = () => vscode.commands.registerCommand('agent.render', async () => {
  const answer = await vscode.lm
    .invokeTool('framework_render', { input: { path: 'index.html', output: 'agent.mp4' }, toolInvocationToken: undefined })
    .then(({ content }) => content.map(({ value }) => value).join(''), (error) => 'Error: ' + error.message);
  writeFileSync(${JSON.stringify(answers)} + '/' + ++calls + '.txt', answer);
});
`,
  );
  const packagePath = join(folder, 'agent.vsix');
  await createVSIX({
    cwd: extension,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}

describe('agents', () => {
  let root: string;
  afterAll(() => rm(root, { recursive: true, force: true }));
  const editor = suiteWindow(async () => {
    root = await mkdtemp(join(tmpdir(), 'fw-agents-'));
    await mkdir(join(root, 'answers'));
    const agent = await packAgent(root, join(root, 'answers'));
    return {
      copies: [],
      files: { 'index.html': composition },
      open: 'index.html',
      others: [agent],
      settings: { 'chat.disableAIFeatures': false },
    };
  });
  let page: Page;
  const answer = async (call: number): Promise<string> => {
    const file = join(root, `answers/${call}.txt`);
    await vi.waitUntil(() => existsSync(file), { timeout: 90_000, interval: 100 });
    return readFile(file, 'utf8');
  };

  beforeAll(async () => {
    ({ page } = editor);
    // The extension has registered its tools.
    await waitForText(page, selectors.lens, 'Render');
  });

  test('renders only after the user has agreed', async () => {
    await runCommand(page, 'Agent: Render');
    await waitForText(page, '.monaco-dialog-box', 'Render a video?');
    await waitForText(page, '.monaco-dialog-box', 'Renders index.html to agent.mp4.');
    await saveScreenshot(page, 'agent-confirmation');
    await page.keyboard.press('Escape');
    expect(await answer(1)).toMatch(/^Error: /);
    expect(existsSync(editor.inFolder('agent.mp4'))).toBe(false);

    await runCommand(page, 'Agent: Render');
    await waitForText(page, '.monaco-dialog-box', 'Render a video?');
    await page.keyboard.press('Enter');
    expect(await answer(2)).toContain('agent.mp4');
    expect(existsSync(editor.inFolder('agent.mp4'))).toBe(true);
  });

  test('lists the MCP server of the extension, and starts it', async () => {
    await runCommand(page, 'MCP: List Servers');
    await waitForText(page, selectors.inputRow, /^Framework.*Stopped/);
    await page.keyboard.type('Framework');
    await page.keyboard.press('Enter');
    await waitForText(page, selectors.inputRow, 'Start Server');
    await page.keyboard.type('Start Server');
    await page.keyboard.press('Enter');
    // VS Code shows the output of the server.
    await waitForText(page, '.panel .view-line', /Discovered.6.tools/);
    await saveScreenshot(page, 'agent-servers');
  });
});
