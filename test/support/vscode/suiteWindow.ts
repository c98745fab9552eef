// A window of the editor that the tests of a suite share.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { selectors } from './ui.ts';
import { remoteUri, saveScreenshot, startWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export type SuiteWindow = {
  workbench: Workbench;
  /** The opened folder. */
  folder: string;
  page: Page;
  inFolder(path: string): string;
};

type Options = WorkbenchOptions & {
  /** Folders of the repository whose content the opened folder has; several become folders in it. Default: the fixture of the editor. */
  copies?: string[];
  /** Added to the folder. */
  files?: Record<string, string | Uint8Array>;
  /** The name of the folder. */
  name?: string;
  /** A file to open. */
  open?: string;
  /** The size of the window. */
  viewport?: { width: number; height: number };
};

/**
 * Opens the window before the tests of the suite, when the extension is active, and closes it after them. Saves a screenshot when a
 * test fails.
 */
export function suiteWindow(options: () => Options | Promise<Options>): SuiteWindow {
  const suite = { inFolder: (path) => join(suite.folder, path) } as SuiteWindow;
  beforeAll(async () => {
    const {
      copies = ['test/fixtures/editor'],
      files = {},
      name = 'first',
      open,
      viewport,
      ...others
    } = await options();
    suite.folder = join(await mkdtemp(join(tmpdir(), 'fw-ws-')), name);
    await mkdir(suite.folder);
    for (const copy of copies) {
      const target = copies.length === 1 ? suite.folder : suite.inFolder(basename(copy));
      await cp(join(root, copy), target, { recursive: true });
    }
    await writeInto(suite.folder, files);
    suite.workbench = await startWorkbench(others);
    suite.page = await openFolder(suite, suite.folder, open);
    if (viewport) await suite.page.setViewport(viewport);
    const permissions = ['clipboard-read', 'clipboard-write'] as const;
    await suite.page.browserContext().overridePermissions(`http://${suite.workbench.authority}`, [...permissions]);
    await suite.page.waitForSelector(open?.endsWith('.html') ? selectors.runButton : icon, { timeout: 60_000 });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await saveScreenshot(suite.page, `failed ${task.name}`);
  });
  afterAll(async () => {
    await suite.workbench?.close();
    if (suite.folder) await rm(dirname(suite.folder), { recursive: true, force: true, maxRetries: 5 });
  });
  return suite;
}

/** The icon of the sidebar: the window has the commands of the extension. */
export const icon = '.activitybar .action-label[aria-label^="Framework"]';

/** Opens another window, with a file of the folder. */
export function openFolder({ workbench }: SuiteWindow, folder: string, file?: string): Promise<Page> {
  const payload: [string, string][] =
    file === undefined ? [] : [['openFile', remoteUri(workbench.authority, join(folder, file))]];
  return workbench.open(folder, payload);
}

async function writeInto(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
