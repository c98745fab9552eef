// Texts that another program fills in before anything is rendered: such a file is a template, and nothing in them is wrong.

const placeholder = /\{\{|\$\{[^}]*\}|<%|%7B%7B|\[\[\w+\]\]|^\s*__\w+__\s*$/i;

/** What is longer is looked at only so far: it would take long, and no placeholder stands behind so much else. */
const longest = 1000;

/** Whether a value is still to be filled in: `{{photo}}`, `${photo}`, `<%= photo %>`, `__PHOTO__`. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value.slice(0, longest));
}
