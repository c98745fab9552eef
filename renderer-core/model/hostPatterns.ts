// Names of hosts that a page may load files from: `cdn.example.com`, or `*.example.com` for all hosts below `example.com`.

/** A page may load from a host that every list contains. Without lists, from any. */
export type HostLists = readonly (readonly string[])[];

/** The pattern in the spelling of URLs, or undefined if it is none. */
export function hostPattern(text: string): string | undefined {
  const [, wildcard = '', name] = /^(\*\.)?([^*\s/\\?#@:[\]]+)$/.exec(text.trim()) ?? [];
  if (name === undefined || !URL.canParse(`https://${name}/`)) return undefined;
  return wildcard + new URL(`https://${name}/`).hostname;
}

export const isAllowedHost = (lists: HostLists, hostname: string): boolean =>
  lists.every((list) => list.some((pattern) => matches(pattern, hostname)));

const matches = (pattern: string, hostname: string): boolean =>
  pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;
