// Whether a browser can paint is tried out, because its methods may exist and not work.
import { expect, test } from 'vitest';
import { paintProblem } from '../../../../renderer-core/capture/page/paintProblem.ts';
import { sharedBrowser } from '../../../support/renders/warmRender.ts';

const launched = sharedBrowser();

test.each([
  ['a browser that can', '', null],
  [
    'a browser without it',
    'delete CanvasRenderingContext2D.prototype.drawElementImage',
    'the browser has no HTML-in-canvas',
  ],
  [
    'a browser whose names are others',
    `CanvasRenderingContext2D.prototype.drawElementImage = () => { throw new TypeError('not drawable') }`,
    'the browser cannot draw with HTML-in-canvas: not drawable',
  ],
  [
    'a browser that draws nothing',
    'CanvasRenderingContext2D.prototype.drawElementImage = () => {}',
    'the browser draws nothing with HTML-in-canvas',
  ],
])('reports %s', async (_, script, problem) => {
  const page = await launched().browser.newPage();
  try {
    await page.evaluate(script);
    expect(await page.evaluate(paintProblem)).toBe(problem);
    expect(await page.evaluate(() => document.body.childElementCount)).toBe(0);
  } finally {
    await page.close();
  }
});
