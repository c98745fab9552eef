// The types of strings.mjs.
export function stringsOf(root: string): Promise<string>;
