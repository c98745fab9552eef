import { expect, test } from 'vitest';
import { googleFontFamilies, isFontService } from '../../../../renderer-core/model/fonts/googleFonts.ts';

const css = 'https://fonts.googleapis.com/css';
const css2 = 'https://fonts.googleapis.com/css2';

test.each([
  [`${css2}?family=DM+Sans&display=swap`, ['DM Sans: ']],
  [`${css2}?family=DM+Sans:wght@400;700`, ['DM Sans: 400 700']],
  [`${css2}?family=DM+Sans:ital,opsz,wght@0,9..40,700;1,9..40,400`, ['DM Sans: 400 700 italic']],
  [
    `${css2}?family=Inter:wght@100..900&family=Roboto+Mono`,
    ['Inter: 100 200 300 400 500 600 700 800 900', 'Roboto Mono: '],
  ],
  [`${css2}?family=Inter:ital@1&amp;family=Lora`, ['Inter:  italic', 'Lora: ']],
  [`${css}?family=Open+Sans:400,700i|Roboto:300italic,bold`, ['Open Sans: 400 700 italic', 'Roboto: 300 700 italic']],
  ['//fonts.googleapis.com/css?family=Lato%3A100%2C900#x', ['Lato: 100 900']],
  ['https://fonts.googleapis.com/icon?family=Material+Icons', ['Material Icons: ']],
  ['https://fonts.bunny.net/css?family=dm-sans:400,700', ['dm sans: 400 700']],
  [css2, []],
  [`${css2}?family=&family=%`, ['%: ']],
  ['https://use.typekit.net/abc1def.css?family=A', []],
  ['fonts/a.css?family=A', []],
])('%s asks for %j', (url, expected) => {
  const found = googleFontFamilies(url);
  expect(
    found.map(({ name, weights, hasItalic }) => `${name}: ${weights.join(' ')}${hasItalic ? ' italic' : ''}`),
  ).toEqual(expected);
});

test.each([
  ['https://use.typekit.net/abc1def.css', true],
  ['//fonts.bunny.net/css?family=abel', true],
  ['https://cdn.example.com/animate.css', false],
  ['fonts/fonts.googleapis.com/a.css', false],
])('%s is a font service: %j', (url, expected) => {
  expect(isFontService(url)).toBe(expected);
});
