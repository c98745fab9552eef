// Pages whose frames depend on their time only: frames before a captured one need not be shown.
import { expect, test } from 'vitest';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import { expectedOf } from '../../../../renderer-core/page/features/features.ts';

const isPure = (files: Record<string, string>) =>
  expectedOf(buildGraph('index.html', (path) => files[path])).traits.isPure;
const page = (body: string) => `<div data-composition-id="main">${body}</div>`;

test.each([
  ['animations and clips', true, '<style>p { animation: go 1s both }</style><p data-start="1" data-var-text="a"></p>'],
  ['a script', false, '<script></script>'],
  ['a handler', false, '<img onload="this.alt = 1">'],
  ['a transition', false, '<style>p { transition: translate 1s }</style>'],
  ['SVG animation', false, '<svg><circle r="9"><animate attributeName="r" to="3" dur="1s"/></circle></svg>'],
  ['a style sheet from a file', false, '<link rel="icon" href="data:,">'],
  ['a style sheet that is a variable', false, '<style data-var-text="css"></style>'],
  ['container queries', false, '<style>@container (width > 10px) { p { animation: none } }</style>'],
  ['an embedded file', true, '<p data-composition-src="still.html"></p>'],
  ['an embedded file with a script', false, '<p data-composition-src="script.html"></p>'],
])('a page with %s is a function of time: %s', (_, expected, body) => {
  const files = { 'still.html': page('<p>still</p>'), 'script.html': page('<script></script>') };
  expect(isPure({ 'index.html': page(body), ...files })).toBe(expected);
});
