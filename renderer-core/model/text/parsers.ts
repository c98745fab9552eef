// The parsers of HTML and JavaScript. A file of its own: the command line and the language server of a package share it.
export { parse as parseStrict } from 'acorn';
export { parse as parseLoose } from 'acorn-loose';
export { defaultTreeAdapter, parse as parseDocument } from 'parse5';
