// Warnings of animated SVG files in styles and in `<image>`.
import { expect, test } from 'vitest';
import { isAnimatedSvg } from '../../../renderer-core/model/svgAnimations.ts';
import { movingDrawings } from '../../../renderer-core/render/movingDrawings.ts';
import { openProject } from '../../../renderer-core/render/prepare.ts';
import { project } from '../../support/project.ts';

const moving =
  '<svg xmlns="http://www.w3.org/2000/svg"><rect><animate attributeName="x" to="9" dur="1s"/></rect></svg>';
const still = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9"/></svg>';

async function warningsOf(files: Record<string, string>): Promise<string[]> {
  return movingDrawings(await openProject({ projectDir: project(files) }));
}

const warning = (place: string, path: string) =>
  `${place}: The animations of ${path} run in real time, so every render shows other frames of them. Use an <img>, or put the <svg> into the page: there they follow the composition.`;

test('locates the first use of each animated file in styles and in <image>, not in <img>', async () => {
  const files = {
    'index.html': `<link rel="stylesheet" href="main.css"><style>
      #back { background: url("img/back.svg") }
    </style>
    <div data-composition-id="main" data-width="64" data-height="48" data-duration="1">
      <img src="img/logo.svg?v=2"><img src="img/logo.svg"><img src="img/still.svg"><img src="img/missing.svg">
      <div style="background: url(img/panel.svg)"></div>
      <svg><image href="img/%64ot.svg"/></svg>
      <object data="img/object.svg"></object>
    </div>`,
    ...{ 'img/back.svg': moving, 'img/logo.svg': moving, 'img/still.svg': still, 'img/panel.svg': moving },
    'main.css': '@import "more/other.css";\n#a { background: url(img/logo.svg) }',
    'more/other.css': '#b { background: url(../img/sheet.svg) }',
    'img/sheet.svg': moving,
    ...{ 'img/dot.svg': moving, 'img/object.svg': moving },
  };
  expect(await warningsOf(files)).toEqual([
    warning('index.html:2:32', 'img/back.svg'),
    warning('index.html:6:35', 'img/panel.svg'),
    warning('index.html:7:25', 'img/dot.svg'),
    warning('main.css:2:22', 'img/logo.svg'),
    warning('more/other.css:1:22', 'img/sheet.svg'),
  ]);
});

test.each([
  ['<svg><rect><set attributeName="x" to="9"/></rect></svg>', true],
  ['<svg><svg:animateTransform\n dur="1s"/></svg>', true],
  ['<svg><path><animateMotion dur="1s"/></path></svg>', true],
  ['<svg><style>@keyframes turn { to { rotate: 1turn } }</style></svg>', true],
  ['<svg><style>.setting { animation: none }</style><title>animate</title></svg>', false],
  ['<svg><settings/></svg>', false],
  ['', false],
])('%s is animated: %s', (svg, expected) => {
  expect(isAnimatedSvg(svg)).toBe(expected);
});
