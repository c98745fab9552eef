// Placeholders of template engines, which another program replaces before the render. Linter and editor accept them
// wherever a value can be; renders do not know them.

/** Notations that can be anywhere in a value. A URL cannot contain most of these signs as they are. */
const notations = [
  String.raw`\{[{%#!]|\[[%#=]|<[?%#@]|<\w+:`, // {{ }}, {% %}, [% %], <?php ?>, <%= %>, <#if>, <c:url>
  String.raw`\{\.{3}`, // {...attributes}
  String.raw`[$#@%*~]!?\{[^}]*\}`, // ${x}, #{x}, @{x}, %{x}
  String.raw`\{(?![\da-fA-F]{8}-)[$A-Za-z_=~!/@][^{}\s"'<>,]*\}`, // {x}, {x.y|z}, but not the name of a file with a GUID
  String.raw`\{\$[^{}]*\}|\{/?(?:if|else|elseif|foreach|for|while|section|include|assign|link|asset|url)\b[^{}"]*\}`,
  String.raw`\[\[\s*[A-Za-z_$+*!~][\w .:$|+-]*\]\]`, // [[x]]
  String.raw`%(?![\da-fA-F]{2})[A-Za-z_][\w.]*%|%[A-Za-z_][\w.]{2,}%(?![\da-fA-F]{2})`, // %X%, but not %C3%A4
  String.raw`(?<!\w)__[A-Z][A-Z\d]*(?:_[A-Z\d]+)*__(?!\w)|^\s*__\w+__\s*$`, // __X__
  String.raw`@@\w+@@|(?<!\w)@[A-Za-z_][\w.]*@(?!\w)|\$\w[\w.]*\$|\$\([\w.]+\)|%\(\w+\)[sd]|<<\s*\w+\s*>>|«[^»]*»`,
  '%7[Bb]%7[Bb]|%24%7[Bb]|%3[Cc]%25', // the same in a URL that is already encoded
];

const placeholder = new RegExp(notations.join('|'));

/** Only this many characters are searched: no real placeholder comes after more text, and longer texts take long. */
const longest = 20_000;

/** Whether a value contains a placeholder: `{{photo}}`, `${photo}`, `<%= photo %>`, `{photo}`, `%PHOTO%` or `__PHOTO__`. */
export function isPlaceholder(value: string): boolean {
  return /[{<[%$@«_]/.test(value) && placeholder.test(value.slice(0, longest));
}

/** Whether `name`, such as an id, can be what an engine makes of `pattern`, which contains a placeholder: `scene-{{ i }}`. */
export function canBecome(pattern: string, name: string): boolean {
  const start = pattern.search(/[{<[%$#@«]|__/);
  const end =
    pattern.length -
    [...pattern]
      .reverse()
      .join('')
      .search(/[}>\]%»@$]|[sd]?\)|__/);
  return start >= 0 && name.startsWith(pattern.slice(0, start)) && name.endsWith(pattern.slice(end));
}
