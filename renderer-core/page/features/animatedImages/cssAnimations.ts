// Stops the CSS animations of an SVG document: all are paused, and each delay is shorter by the time, which is a CSS variable
// of the root.

const timeVariable = '--framework-time';

/** Returns a function that stops all CSS animations of the document at `seconds`. */
export function cssStopper(svg: Document): (seconds: number) => void {
  const root = svg.documentElement as unknown as SVGSVGElement;
  const longest: Lengths = { delay: 0, duration: 0, count: 1 };
  const note = (style: CSSStyleDeclaration): void => {
    noteLengths(style, longest);
    delay(style);
  };
  for (const [index, element] of [...svg.querySelectorAll('style')].entries()) {
    const text = stoppedSheet(element.textContent ?? '', note);
    // Not in an element of its own, which would change the place of the others among their siblings.
    element.textContent = index === 0 ? `${stopped}${text}` : text;
  }
  for (const element of svg.querySelectorAll<SVGElement>('[style]')) {
    if (!element.style) continue;
    note(element.style);
    const added = delayAfter(element.style);
    if (added) element.setAttribute('style', `${element.getAttribute('style')};${added}`);
  }
  // When nothing moves any more, the text of the file stays the same.
  const end =
    longest.count === Number.POSITIVE_INFINITY ? longest.count : longest.delay + longest.duration * longest.count;
  return (seconds) => root.style.setProperty(timeVariable, `${Math.min(seconds, end)}s`);
}

const since = (delay: string): string => `calc(${delay} - var(${timeVariable}))`;

/** The first layer is weaker than all other rules: it is for animations without a delay. */
const stopped = `@layer framework{*{animation-delay:${since('0s')}}}*{animation-play-state:paused!important}`;

/** The text of a style sheet in which `note` has changed the style of each rule. */
function stoppedSheet(text: string, note: (style: CSSStyleDeclaration) => void): string {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const visit = (parent: CSSStyleSheet | CSSGroupingRule): void => {
    for (const rule of [...parent.cssRules].reverse()) {
      if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) visit(rule as CSSGroupingRule);
      if (!(rule instanceof CSSStyleRule)) continue;
      note(rule.style);
      const added = delayAfter(rule.style);
      const place = [...parent.cssRules].indexOf(rule) + 1;
      if (added) parent.insertRule(`${rule.selectorText}{${added}}`, place);
    }
  };
  visit(sheet);
  return [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');
}

function delay(style: CSSStyleDeclaration): void {
  const { animationDelay } = style;
  if (animationDelay === '') return;
  const priority = style.getPropertyPriority('animation-delay');
  style.setProperty('animation-delay', splitList(animationDelay).map(since).join(), priority);
}

/** What must follow a shorthand with a variable, whose own delay cannot be read; empty for other styles. */
function delayAfter(style: CSSStyleDeclaration): string {
  if (!style.animation.includes('var(')) return '';
  const priority = style.getPropertyPriority('animation-name');
  return `animation-delay:${since('0s')}${priority && '!important'}`;
}

/** The greatest of all styles, because several styles may describe one animation. */
type Lengths = { delay: number; duration: number; count: number };

function noteLengths(style: CSSStyleDeclaration, longest: Lengths): void {
  const { animation, animationDelay, animationDuration, animationIterationCount } = style;
  const read = (list: string, item: (text: string) => number) => Math.max(0, ...splitList(list).map(item));
  longest.delay = Math.max(longest.delay, read(animationDelay, secondsOf));
  longest.duration = Math.max(longest.duration, read(animationDuration, secondsOf));
  // The parts of a shorthand with a variable cannot be read.
  const isUnknown = /var\(/.test([animation, animationDelay, animationDuration, animationIterationCount].join());
  const isEndless = isUnknown || animationIterationCount.includes('infinite');
  longest.count = isEndless ? Number.POSITIVE_INFINITY : Math.max(longest.count, read(animationIterationCount, Number));
}

const secondsOf = (time: string): number => Number.parseFloat(time) * (time.endsWith('ms') ? 0.001 : 1) || 0;

const splitList = (list: string): string[] => list.split(/,(?![^(]*\))/).map((item) => item.trim());
