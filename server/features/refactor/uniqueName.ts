// A name that nobody has yet.

/** The name itself, else with the first number from 2 on that makes it free. */
export function freshName(name: string, isTaken: (name: string) => boolean, separator = ''): string {
  if (!isTaken(name)) return name;
  for (let count = 2; ; count++) {
    const next = `${name}${separator}${count}`;
    if (!isTaken(next)) return next;
  }
}
