// The parts of css-tree that this project uses, without its data on every CSS property.
export { default as generate } from '../node_modules/css-tree/lib/generator/index.js';
export { default as parse } from '../node_modules/css-tree/lib/parser/index.js';
export { List } from '../node_modules/css-tree/lib/utils/List.js';
export { default as walk } from '../node_modules/css-tree/lib/walker/index.js';
