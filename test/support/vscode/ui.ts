// Functions that drive the workbench: the Command Palette, inputs, notifications, editors and webviews.
import type { Frame, KeyInput, Page } from 'puppeteer-core';

const timeoutMs = 60_000;

/** Waits until an element contains a text. Returns the whole text of the element. */
export async function waitForText(
  page: Page,
  selector: string,
  text: string | RegExp,
  timeout = timeoutMs,
): Promise<string> {
  const pattern = typeof text === 'string' ? text : text.source;
  const handle = await page
    .waitForFunction(
      (where: string, wanted: string, isPattern: boolean) => {
        for (const element of document.querySelectorAll(where)) {
          // VS Code shows spaces as no-break spaces.
          const shown = (element.textContent ?? '').replaceAll('\u00a0', ' ');
          if (isPattern ? new RegExp(wanted).test(shown) : shown.includes(wanted)) return shown;
        }
        return false;
      },
      { timeout, polling: 50 },
      selector,
      pattern,
      typeof text !== 'string',
    )
    .catch(async () => {
      const textsOf = (where: string) => page.$$eval(where, (all) => all.map((one) => one.textContent));
      // An open dialog keeps everything else from happening.
      const [shown, dialogs] = [await textsOf(selector), await textsOf('.monaco-dialog-box')];
      const dialog = dialogs.length > 0 ? `, behind the dialog ${JSON.stringify(dialogs)}` : '';
      throw new Error(`${selector} never contained ${text}, but ${JSON.stringify(shown)}${dialog}`);
    });
  return String(await handle.jsonValue());
}

export async function waitForNone(page: Page, selector: string, timeout = timeoutMs): Promise<void> {
  await page
    .waitForFunction((where: string) => document.querySelector(where) === null, { timeout, polling: 50 }, selector)
    .catch(async () => {
      const shown = await page.$$eval(selector, (all) => all.map((one) => one.textContent));
      throw new Error(`${selector} still exists: ${JSON.stringify(shown)}`);
    });
}

const input = '.quick-input-widget';

const openInput = `${input}:not([style*="display: none"]) input`;

/** Tries again when VS Code loses a key: a view that opens at the same time may take the focus. */
async function untilListed(page: Page, list: () => Promise<void>): Promise<void> {
  for (let attempts = 5; ; attempts--) {
    const error = await list().catch((reason: Error) => reason);
    if (!error) return;
    if (attempts === 1) throw error;
    await page.keyboard.press('Escape');
  }
}

/** Finds the command by its whole title, because the order of similar commands changes with their use. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const names = `${input} .monaco-list-row .label-name`;
  const pattern = new RegExp(`^${title.replaceAll(/[.()]/g, '\\$&')}$`);
  // The list does not show commands that are registered after it was opened.
  await untilListed(page, async () => {
    await page.keyboard.press('F1');
    const box = await page.waitForSelector(openInput, { timeout: 10_000 });
    await box?.type(title);
    await waitForText(page, names, pattern, 10_000);
  });
  await press(page, names, title);
}

/** Waits for an input with this title. */
export async function waitForInput(page: Page, title: string | RegExp): Promise<void> {
  await waitForText(page, `${input} .quick-input-title`, title);
}

export async function pressWithControl(page: Page, key: KeyInput): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press(key);
  await page.keyboard.up('Control');
}

/** Replaces the text of the input. */
export async function typeValue(page: Page, text: string): Promise<void> {
  await pressWithControl(page, 'a');
  await page.keyboard.type(text);
}

export const selectors = {
  /** The number of sign-in requests. */
  accountsBadge: '.activitybar .action-item:has(.codicon-accounts-view-bar-icon) .badge',
  input,
  inputMessage: `${input} .quick-input-message`,
  inputRow: `${input} .monaco-list-row`,
  focusedRow: `${input} .monaco-list-row.focused`,
  notification: '.notifications-toasts .notification-list-item',
  notificationButton: '.notifications-toasts .notification-list-item .monaco-button',
  lens: '.monaco-editor .codelens-decoration',
  lensLink: '.monaco-editor .codelens-decoration a',
  squiggle: '.monaco-editor .view-overlays .squiggly-error, .monaco-editor .view-overlays .squiggly-warning',
  problem: '.markers-panel .monaco-list-row',
  suggestion: '.suggest-widget .monaco-list-row',
  editor: '.monaco-editor .view-lines',
  runButton: '.editor-actions .codicon-play',
  terminal: '.terminal-wrapper .xterm-rows',
  terminalTab: '.terminal-tab, .single-terminal-tab',
  dialog: '.monaco-dialog-box',
  dialogButton: '.monaco-dialog-box .monaco-button',
  status: '#status\\.languageStatus',
  statusDetail: '.hover-language-status',
  cursorPosition: '#status\\.editor\\.selection',
} as const;

/** Presses the button with this text, by default in a notification. */
export async function pressButton(
  page: Page,
  label: string,
  where: string = selectors.notificationButton,
): Promise<void> {
  await waitForText(page, where, label);
  await press(page, where, label);
}

async function press(page: Page, where: string, label: string): Promise<void> {
  const pressed = await page.$$eval(
    where,
    (all, wanted) => {
      const button = all.find(
        (one) => one.textContent === wanted || one.getAttribute('aria-label')?.startsWith(wanted),
      );
      (button as HTMLElement | undefined)?.click();
      return button ? '' : all.map((one) => one.outerHTML).join('\n');
    },
    label,
  );
  if (pressed !== '') throw new Error(`There is no button "${label}" among ${pressed}`);
}

/** Clicks at the position of the first element: VS Code can replace the element, but not move it. */
export async function clickAt(page: Page, selector: string): Promise<void> {
  const center = () =>
    page.$eval(selector, (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + width / 2, top + height / 2] as const;
    });
  // Toolbars move their buttons when the active file or its problems change.
  let [x, y] = await center();
  for (let stable = 0; stable < 3; stable++) {
    await new Promise((done) => setTimeout(done, 100));
    const now = await center();
    if (now[0] !== x || now[1] !== y) stable = -1;
    [x, y] = now;
  }
  await page.mouse.click(x, y);
}

export async function closeNotifications(page: Page): Promise<void> {
  const clear = async (timeout?: number): Promise<void> => {
    await runCommand(page, 'Notifications: Clear All Notifications');
    await waitForNone(page, selectors.notification, timeout);
  };
  // A notification may arrive after the command has run.
  await clear(10_000).catch(() => clear());
}

/** Opens a file by name with Quick Open. */
export async function openFile(page: Page, name: string): Promise<void> {
  await untilListed(page, async () => {
    await pressWithControl(page, 'p');
    await page.waitForSelector(openInput, { timeout: 10_000 });
    await page.keyboard.type(name);
    await waitForText(page, selectors.focusedRow, name, 10_000);
  });
  await page.keyboard.press('Enter');
  await waitForText(page, '.tab.active', name);
}

/** Puts the cursor `shift` characters into the first `wanted` of the file's text. */
export async function goTo(page: Page, text: string, wanted: string, shift: number): Promise<void> {
  const before = text.slice(0, text.indexOf(wanted) + shift).split('\n');
  await runCommand(page, 'Go to Line/Column...');
  await page.keyboard.type(`${before.length}:${(before.at(-1)?.length ?? 0) + 1}`);
  await page.keyboard.press('Enter');
  await waitForText(page, selectors.cursorPosition, `Ln ${before.length}, Col ${(before.at(-1)?.length ?? 0) + 1}`);
}

/** The frame of a webview that contains an element. Its page is nested in two frames and is reloaded when it is moved. */
export async function frameWith(page: Page, selector: string): Promise<Frame> {
  const end = Date.now() + 2 * timeoutMs;
  for (;;) {
    for (const frame of page.frames()) {
      // Not `frame.$`: it keeps the first document that it has seen, and VS Code writes the content into a new one.
      // A frame that was removed throws at once instead of rejecting.
      const look = async () => frame.evaluate((wanted) => document.querySelector(wanted) !== null, selector);
      if (await look().catch(() => false)) return frame;
    }
    if (Date.now() > end)
      throw new Error(`No frame contains ${selector}: ${page.frames().map((frame) => frame.url())}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Like `waitForText`, in a frame. */
export async function waitInFrame(frame: Frame, selector: string, text: string | RegExp): Promise<void> {
  const [pattern, isPattern] = typeof text === 'string' ? [text, false] : [text.source, true];
  await frame
    .waitForFunction(
      (where: string, wanted: string, asPattern: boolean) =>
        [...document.querySelectorAll(where)].some(({ textContent }) =>
          asPattern ? new RegExp(wanted).test(textContent ?? '') : (textContent ?? '').includes(wanted),
        ),
      { timeout: timeoutMs, polling: 50 },
      selector,
      pattern,
      isPattern,
    )
    .catch(async () => {
      const shown = await frame.$$eval(selector, (all) => all.map((one) => one.textContent)).catch(String);
      throw new Error(`${selector} in the frame never contained ${text}, but ${JSON.stringify(shown)}`);
    });
}
