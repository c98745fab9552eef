// How data-sizes is read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAuthored, parseComposition } from '../../../renderer-core/model/composition.ts';
import { allSizes, readSizes, sizeText } from '../../../renderer-core/model/declaredSizes.ts';

test.each([
  ['1920x1080 1080x1920', ['1920x1080', '1080x1920'], [], []],
  [' 1080X1080\n\t640x360 ', ['1080x1080', '640x360'], [], []],
  ['1920x1080 16:9 1080 0x5 1x2.5 123456x1', ['1920x1080'], ['16:9', '1080', '0x5', '1x2.5', '123456x1'], []],
  ['1920x1080 1920x1080 5X5 5x5', ['1920x1080', '5x5'], [], ['1920x1080', '5x5']],
  ['', [], [], []],
])('reads %j', (text, sizes, unreadable, repeated) => {
  const read = readSizes(text);
  expect({ ...read, sizes: read.sizes.map(sizeText) }).toEqual({ sizes, unreadable, repeated });
});

test('reads every list of different sizes back', () => {
  const size = fc.record({ width: fc.integer({ min: 1, max: 99_999 }), height: fc.integer({ min: 1, max: 99_999 }) });
  fc.assert(
    fc.property(fc.uniqueArray(size, { selector: sizeText }), (sizes) => {
      expect(readSizes(sizes.map(sizeText).join(' '))).toEqual({ sizes, unreadable: [], repeated: [] });
    }),
  );
});

test('has the own size once, in front', () => {
  const { sizes } = readSizes('1080x1920 1920x1080 1080x1080');
  expect(allSizes({ width: 1920, height: 1080 }, sizes).map(sizeText)).toEqual(['1920x1080', '1080x1920', '1080x1080']);
});

test('is read on the root only', () => {
  const sizesOf = (html: string) => parseComposition(html).sizes.map(sizeText);
  expect(sizesOf('<div data-composition-id="a" data-sizes="9x16 1x1"></div>')).toEqual(['9x16', '1x1']);
  expect(sizesOf('<div data-composition-id="a"><p data-sizes="9x16"></p></div>')).toEqual([]);
  expect(parseAuthored('<div data-composition-id="a" data-sizes="{{ sizes }}"></div>').problems).toEqual([]);
});
