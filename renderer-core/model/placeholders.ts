// Placeholders of template engines, which another program replaces before the render. The linter does not report them.

const placeholder = /\{\{|\$\{[^}]*\}|<%|%7B%7B|\[\[\w+\]\]|^\s*__\w+__\s*$/i;

/** Only this many characters are searched: no real placeholder comes after more text, and longer texts take long. */
const longest = 1000;

/** Whether a value contains a placeholder: `{{photo}}`, `${photo}`, `<%= photo %>` or `__PHOTO__`. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value.slice(0, longest));
}
