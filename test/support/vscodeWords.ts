// The part of the editor's API that texts need, as the editor has it without a translation: for `vi.mock('vscode', …)`.

export const l10n = {
  /** `{0}` is replaced by the first argument, as the editor does it. */
  t: (message: string, ...args: readonly (string | number | boolean)[]): string =>
    message.replace(/\{(\d+)\}/g, (whole, index: string) =>
      args[Number(index)] === undefined ? whole : String(args[Number(index)]),
    ),
};
