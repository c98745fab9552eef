// SVG files with animations, which need a clock.

/** Whether the text of an SVG file contains animations of SVG or of CSS. */
export const isAnimatedSvg = (text: string): boolean =>
  /<(?:\w+:)?(?:animate(?:Transform|Motion|Color)?|set)[\s/>]|@(?:-webkit-)?keyframes\s/.test(text);
