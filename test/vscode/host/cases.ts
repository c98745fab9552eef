// The tests in the extension host. They use the packed extension and its server through VS Code's API.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** A string is a note for the report. */
type Case = () => Promise<unknown>;

function inFirst(path: string): vscode.Uri {
  return inFolder(0, path);
}

function inSecond(path: string): vscode.Uri {
  return inFolder(1, path);
}

function inFolder(index: number, path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[index];
  assert(folder, `the workspace has a folder ${index}`);
  return vscode.Uri.joinPath(folder.uri, path);
}

/**
 * Adds the second folder to the workspace. VS Code may start an extension host before it has read the workspace file, and then tells it
 * about folders only when they change.
 */
export async function addSecondFolder(): Promise<void> {
  const folders = () => vscode.workspace.workspaceFolders ?? [];
  const { fsPath = '' } = vscode.workspace.workspaceFile ?? {};
  await writeFile(fsPath, JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }));
  await until('the two folders of the workspace', folders, ({ length }) => length === 2);
}

/** Repeats a request until its result is as expected, because the server needs time to read files. */
async function until<T>(what: string, ask: () => Thenable<T> | T, isGood: (answer: T) => boolean): Promise<T> {
  let answer = await ask();
  for (let tries = 0; !isGood(answer); tries++) {
    if (tries === 100) assert.fail(`Timed out waiting for ${what}. Last result: ${JSON.stringify(answer)}`);
    await new Promise((done) => setTimeout(done, 100));
    answer = await ask();
  }
  return answer;
}

async function open(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** The position `shift` characters after the start of the first `text`. */
function at(document: vscode.TextDocument, text: string, shift = 0): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert(offset >= 0, `${text} is in the file`);
  return document.positionAt(offset + shift);
}

function problems(uri: vscode.Uri): string[] {
  return vscode.languages.getDiagnostics(uri).map(({ code }) => String(typeof code === 'object' ? code.value : code));
}

const untilProblem = (uri: vscode.Uri, code: string) =>
  until(
    `the problem ${code}`,
    () => problems(uri),
    (found) => found.includes(code),
  );

const untilFixed = (uri: vscode.Uri, code: string) =>
  until(
    `no problem ${code}`,
    () => problems(uri),
    (found) => !found.includes(code),
  );

/** The code lenses, when they are as expected. */
const lensesOf = (uri: vscode.Uri, isGood: (found: vscode.CodeLens[]) => boolean) =>
  until('code lenses', () => ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10), isGood);

function names(symbols: readonly vscode.DocumentSymbol[]): string[] {
  return symbols.flatMap(({ name, children }) => [name, ...names(children ?? [])]);
}

function labelOf(label: string | vscode.CompletionItemLabel): string {
  return typeof label === 'string' ? label : label.label;
}

async function replace(document: vscode.TextDocument, text: string, replacement: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(at(document, text), at(document, text, text.length)), replacement);
  await vscode.workspace.applyEdit(edit);
}

/** Reverts unsaved documents and closes all editors. */
export async function tidy(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await ask('workbench.action.revertAndCloseActiveEditor');
  }
  await ask('workbench.action.closeAllEditors');
}

const ask = vscode.commands.executeCommand;

export const cases: Record<string, Case> = {
  'activates quickly': async () => {
    const extension = vscode.extensions.getExtension('framework.framework');
    assert(extension, 'the packed extension is installed');
    // Loads a second copy, only to measure the time.
    const started = performance.now();
    createRequire(__filename)(join(extension.extensionPath, extension.packageJSON.main));
    const loading = performance.now() - started;
    const { activationMs, ready } = await extension.activate();
    const answering = await ready;
    return `loading ${loading.toFixed(1)} ms, activating ${activationMs.toFixed(1)} ms, server answers after ${answering.toFixed(0)} ms`;
  },

  'reports an undeclared value before the file is saved, until it is fixed': async () => {
    const document = await open(inFirst('index.html'));
    await untilProblem(document.uri, 'undeclared-value');
    const [problem] = vscode.languages.getDiagnostics(document.uri);
    assert.equal(document.getText(problem?.range).replaceAll('"', ''), 'sise');
    assert(
      typeof problem?.code === 'object' && problem.code.target.path.endsWith('/docs/rules.md'),
      'the problem links to its documentation',
    );
    await replace(document, ',"sise":3', '');
    await until(
      'no problem',
      () => problems(document.uri),
      (found) => found.length === 0,
    );
    await replace(document, '"name":"Ada"', '"name":7');
    await until(
      'another problem',
      () => problems(document.uri),
      (found) => found.length === 1,
    );
  },

  'fixes the problem with a quick fix': async () => {
    const document = await open(inFirst('index.html'));
    await untilProblem(document.uri, 'undeclared-value');
    let title: string | undefined;
    // Repeated, because VS Code rejects an edit for an earlier version, or loses it: the document was reverted a moment ago.
    await until(
      'no problem after the fix',
      async () => {
        const [problem] = vscode.languages.getDiagnostics(document.uri);
        if (!problem) return [];
        const actions = await ask<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          document.uri,
          problem.range,
          undefined,
          10,
        );
        const fix = actions.find(({ title }) => title.startsWith('Remove'));
        if (fix?.edit && (await vscode.workspace.applyEdit(fix.edit))) title = fix.title;
        return problems(document.uri);
      },
      (found) => !found.includes('undeclared-value'),
    );
    assert(title, 'the fix was applied');
    return title;
  },

  'completes the ids of the embedded composition': async () => {
    const document = await open(inFirst('index.html'));
    await replace(document, '{"name":"Ada","sise":3}', '{""}');
    const position = at(document, `{""}`, 2);
    const list = await until(
      'an offer',
      () => ask<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, position),
      ({ items }) => items.some(({ label }) => labelOf(label) === 'name'),
    );
    assert(
      !list.items.some(({ label }) => labelOf(label) === 'title'),
      'the ids of the embedding file are not offered',
    );
  },

  'shows a hover for a variable': async () => {
    const document = await open(inFirst('index.html'));
    const position = at(document, 'data-var-text="title"', 17);
    const hovers = await until(
      'an explanation',
      () => ask<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position),
      (found) => found.length > 0,
    );
    const text = hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)));
    assert.match(text.join(), /Title/);
  },

  'finds the declaration in another file': async () => {
    const document = await open(inFirst('index.html'));
    const found = await ask<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at(document, '"name":"Ada"', 2),
    );
    const targets = found.map((one) => ('targetUri' in one ? one.targetUri : one.uri).path);
    assert(
      targets.some((path) => path.endsWith('/first/compositions/card.html')),
      targets.join(),
    );
  },

  'renames a variable in every file': async () => {
    const document = await open(inFirst('index.html'));
    const position = at(document, '"name":"Ada"', 2);
    const edit = await ask<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      position,
      'person',
    );
    const changed = edit.entries().map(([uri, edits]) => `${uri.path.split('/').pop()}: ${edits.length}`);
    // The declaration and its binding; the value.
    assert.deepEqual(changed.sort(), ['card.html: 2', 'index.html: 1']);
  },

  'shows the timeline as the outline, and finds symbols in the workspace': async () => {
    const document = await open(inFirst('index.html'));
    const outline = await until(
      'an outline',
      () => ask<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri),
      (found) => names(found).some((name) => name.includes('heading')),
    );
    assert(
      names(outline).some((name) => name.includes('main')),
      names(outline).join(),
    );
    const symbols = await ask<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', 'accent');
    const folders = new Set(symbols.map(({ location }) => location.uri.path.split('/').at(-2)));
    assert.deepEqual([...folders].sort(), ['first', 'second']);
  },

  'provides code lenses that render the file': async () => {
    const document = await open(inFirst('index.html'));
    const lenses = await lensesOf(document.uri, (found) => found.length > 1);
    const commands = lenses.map(({ command }) => command?.command);
    assert(
      commands.includes('framework.render') && commands.includes('framework.renderWithVariables'),
      commands.join(),
    );
    const render = lenses.find(({ command }) => command?.command === 'framework.render');
    assert.equal(vscode.Uri.parse(render?.command?.arguments?.[0].uri).toString(), document.uri.toString());
  },

  'shows the references of a code lens': async () => {
    const document = await open(inFirst('compositions/card.html'));
    const lenses = await lensesOf(document.uri, (found) =>
      found.some(({ command }) => command?.command === 'framework.showReferences'),
    );
    const lens = lenses.find(({ command }) => command?.command === 'framework.showReferences')?.command;
    assert.equal(lens?.arguments?.[0].locations.length, 1);
    await ask('framework.showReferences', ...(lens?.arguments ?? []));
    await ask('closeReferenceSearch');
    return lens?.title;
  },

  'checks untitled files': async () => {
    const text = `<div data-composition-id="a" data-width="x" data-height="1" data-duration="1"></div>`;
    const document = await vscode.workspace.openTextDocument({ language: 'html', content: text });
    await vscode.window.showTextDocument(document);
    await untilProblem(document.uri, 'not-a-number');
  },

  'computes positions in files with a byte order mark and Windows line endings': async () => {
    const lines = [
      '<html>',
      '<body>',
      '<div data-composition-id="a" data-width="9" data-height="9" data-duration="1">',
      '<p data-start="nobody"></p>',
      '</div>',
      '</body>',
      '</html>',
    ];
    const uri = inFirst('windows.html');
    await writeFile(uri.fsPath, `\uFEFF${lines.join('\r\n')}`);
    const document = await open(uri);
    assert.equal(document.eol, vscode.EndOfLine.CRLF);
    await until(
      'a problem',
      () => problems(uri),
      (found) => found.length > 0,
    );
    const [problem] = vscode.languages.getDiagnostics(uri);
    assert.equal(document.getText(problem?.range), 'nobody');
    await vscode.workspace.fs.delete(uri);
  },

  'detects changes by other programs': async () => {
    const document = await open(inSecond('index.html'));
    const card = inSecond('compositions/card.html');
    await untilProblem(document.uri, 'undeclared-value');
    const text = await readFile(card.fsPath, 'utf8');
    await writeFile(card.fsPath, text.replace(']', ',{"id":"sise","type":"number","label":"Size","default":1}]'));
    await untilFixed(document.uri, 'undeclared-value');
  },

  'ignores files that are not compositions': async () => {
    const content = '<html><body><div class="card" id="x"><p data-start="nobody">text</p></div></body></html>';
    const document = await vscode.workspace.openTextDocument({ language: 'html', content });
    await vscode.window.showTextDocument(document);
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10);
    assert.deepEqual(lenses, []);
    assert.deepEqual(problems(document.uri), []);
  },

  'uses the severity of a rule from the settings': async () => {
    const document = await open(inFirst('index.html'));
    const settings = vscode.workspace.getConfiguration('framework');
    await untilProblem(document.uri, 'undeclared-value');
    await settings.update('lint.rules', { 'undeclared-value': 'off' }, vscode.ConfigurationTarget.Workspace);
    await untilFixed(document.uri, 'undeclared-value');
    await settings.update('lint.rules', undefined, vscode.ConfigurationTarget.Workspace);
    await untilProblem(document.uri, 'undeclared-value');
  },

  'renders to the folder of the composition': async () => {
    await ask('framework.render', inSecond('index.html'));
    const video = await readFile(join(inSecond('renders').fsPath, 'second.mp4'));
    assert.equal(video.toString('latin1', 4, 8), 'ftyp');
  },

  'checks batch files by name and those listed in framework.json': async () => {
    const rows = '[{"title":"One"},{"title":2}]';
    const manifest = inFirst('framework.json');
    await writeFile(manifest.fsPath, '{"batches":{"people.json":"index.html"}}');
    for (const name of ['rows.json', 'people.json']) {
      const uri = inFirst(name);
      await writeFile(uri.fsPath, rows);
      const document = await open(uri);
      await untilProblem(uri, 'batch-variable');
      const lenses = await lensesOf(uri, (found) => found.length > 0);
      assert.deepEqual(
        lenses.map(({ command }) => command?.title),
        ['Render Rows…', 'Render all 2 rows', 'Render this row'],
      );
      const list = await ask<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        at(document, '"title":2', 1),
      );
      assert(list.items.some(({ label, detail }) => labelOf(label) === 'title' && detail?.includes('Title')));
    }
    for (const uri of [manifest, inFirst('rows.json'), inFirst('people.json')]) await vscode.workspace.fs.delete(uri);
  },

  'renders all rows of a batch, and a single row': async () => {
    const uri = inSecond('cards.rows.json');
    await writeFile(uri.fsPath, '[{"title":"One"},{"title":"Two"}]');
    const read = async (path: string) => (await readFile(inSecond(path).fsPath)).toString('latin1', 4, 8);
    await ask('framework.renderBatch', { uri: uri.toString(), output: 'renders/all/{index}.mp4' });
    assert.deepEqual([await read('renders/all/0.mp4'), await read('renders/all/1.mp4')], ['ftyp', 'ftyp']);
    await ask('framework.renderRow', { uri: uri.toString(), row: 1 });
    assert.equal(await read('renders/cards/1.mp4'), 'ftyp');
    await vscode.workspace.fs.delete(uri);
  },

  'reports problems again after a server restart': async () => {
    const document = await open(inFirst('index.html'));
    await ask('framework.restartServer');
    await untilProblem(document.uri, 'undeclared-value');
  },
};
