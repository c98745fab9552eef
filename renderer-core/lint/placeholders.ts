// Texts that another program fills in before anything is rendered: such a file is a template, and nothing in them is wrong.

const placeholder = /\{\{|\$\{[^}]*\}|<%|%7B%7B|\[\[\w+\]\]|^\s*__\w+__\s*$/i;

/** Whether a value is still to be filled in: `{{photo}}`, `${photo}`, `<%= photo %>`, `__PHOTO__`. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value);
}
