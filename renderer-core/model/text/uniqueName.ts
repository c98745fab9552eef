// Finds an unused name.

/** Returns the name itself, or appends the first number from 2 on that makes it unused. */
export function uniqueName(name: string, isTaken: (name: string) => boolean, separator = ''): string {
  if (!isTaken(name)) return name;
  for (let count = 2; ; count++) {
    const next = `${name}${separator}${count}`;
    if (!isTaken(next)) return next;
  }
}
