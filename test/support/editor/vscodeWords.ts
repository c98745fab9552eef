// A fake of `vscode.l10n` without translations, for `vi.mock('vscode', …)`.

export const l10n = {
  /** Replaces `{0}` by the first argument, like the editor. */
  t: (message: string, ...args: readonly (string | number | boolean)[]): string =>
    message.replace(/\{(\d+)\}/g, (whole, index: string) =>
      args[Number(index)] === undefined ? whole : String(args[Number(index)]),
    ),
};
