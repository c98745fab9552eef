// Whether a page uses only features that are painted exactly as a screen shows them: text, boxes, images, colors, gradients,
// shadows, opacity and 2D transforms.

import type { CapturePart } from '../capturePart.ts';

export const provenInCapture: CapturePart = {
  begin: ({ window }) => ({ traits: { needsOneSample: hasOnlyProvenFeatures(window) } }),
};

const provenElements = new Set(
  (
    'html head base title meta link style script body div span p h1 h2 h3 h4 h5 h6 header footer main section article aside nav ' +
    'ul ol li dl dt dd a b i u s em strong small sub sup code pre q blockquote figure figcaption br hr img'
  ).split(' '),
);

/** Properties, values and rules in styles. Those that are harmless but rare need not be recognized. */
const unprovenStyle =
  /@import|filter|blend|mask|clip-path|clip:|perspective|preserve-3d|backface|3d\(|rotate[xy]\(|z\(|offset-path|will-change|position:\s*fixed/i;

/**
 * The page must have no scripts of an author: they could use other features later. Styles that apply later are included,
 * because all rules are read.
 */
function hasOnlyProvenFeatures({ document }: Window): boolean {
  const elements = [...document.getElementsByTagName('*')];
  const isProven = (element: Element): boolean =>
    provenElements.has(element.localName) &&
    element.shadowRoot === null &&
    !unprovenStyle.test(element.getAttribute('style') ?? '') &&
    !element.getAttributeNames().some((name) => name.startsWith('on'));
  return elements.every(isProven) && [...document.styleSheets].every(isProvenSheet);
}

function isProvenSheet(sheet: CSSStyleSheet): boolean {
  try {
    return [...sheet.cssRules].every(({ cssText }) => !unprovenStyle.test(cssText));
  } catch {
    // The rules of another host cannot be read.
    return false;
  }
}
