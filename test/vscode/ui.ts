// The workbench's parts as a user sees them: the palette, inputs, notifications, the editor.
import type { Page } from 'puppeteer-core';

/** Waits for a text in what a selector finds; gives the whole text of that element. */
export async function waitForText(page: Page, selector: string, text: string | RegExp): Promise<string> {
  const pattern = typeof text === 'string' ? text : text.source;
  const handle = await page
    .waitForFunction(
      (where: string, wanted: string, isPattern: boolean) => {
        for (const element of document.querySelectorAll(where)) {
          // The editor shows spaces as no-break spaces.
          const shown = (element.textContent ?? '').replaceAll('\u00a0', ' ');
          if (isPattern ? new RegExp(wanted).test(shown) : shown.includes(wanted)) return shown;
        }
        return false;
      },
      { timeout: 30_000, polling: 50 },
      selector,
      pattern,
      typeof text !== 'string',
    )
    .catch(async () => {
      const shown = await page.$$eval(selector, (all) => all.map((one) => one.textContent));
      throw new Error(`never in ${selector}: ${text}; there is ${JSON.stringify(shown)}`);
    });
  return String(await handle.jsonValue());
}

export async function waitForNone(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((where: string) => document.querySelector(where) === null, { timeout: 30_000 }, selector);
}

const input = '.quick-input-widget';

export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.waitForSelector(`${input}:not([style*="display: none"]) input`);
  await page.keyboard.type(title);
  await waitForText(page, `${input} .monaco-list-row.focused`, title);
  await page.keyboard.press('Enter');
}

/** The open input: its title, the text below or beside it, and its rows. */
export async function waitForInput(page: Page, title: string | RegExp): Promise<void> {
  await waitForText(page, `${input} .quick-input-title`, title);
}

/** Writes over what the input holds. */
export async function typeValue(page: Page, text: string): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
}

export const selectors = {
  input,
  inputMessage: `${input} .quick-input-message`,
  inputRow: `${input} .monaco-list-row`,
  focusedRow: `${input} .monaco-list-row.focused`,
  notification: '.notifications-toasts .notification-list-item',
  notificationButton: '.notifications-toasts .notification-list-item .monaco-button',
  lens: '.monaco-editor .codelens-decoration',
  squiggle: '.monaco-editor .view-overlays .squiggly-error, .monaco-editor .view-overlays .squiggly-warning',
  problem: '.markers-panel .monaco-list-row',
  suggestion: '.suggest-widget .monaco-list-row',
  editor: '.monaco-editor .view-lines',
} as const;

/** Presses the button of a notification. */
export async function pressButton(page: Page, label: string): Promise<void> {
  await waitForText(page, selectors.notificationButton, label);
  await page.evaluate(
    (where: string, wanted: string) => {
      const button = [...document.querySelectorAll<HTMLElement>(where)].find((one) => one.textContent === wanted);
      button?.click();
    },
    selectors.notificationButton,
    label,
  );
}
