// Which source of a media element is loaded, from the markup.
import { expect, test } from 'vitest';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import { sourceUse } from '../../../renderer-core/model/sourceElements.ts';

/** The use of each source, by its file. */
function uses(markup: string) {
  const { html } = parseComposition(markup);
  const sources = html.elements.filter(({ tag }) => tag === 'source');
  return Object.fromEntries(sources.map((source) => [source.attributes.get('src')?.value, sourceUse(source)]));
}

test.each<[string, string, Record<string, string>]>([
  ['the first one', '<video><source src="a"><source src="b"></video>', { a: 'always', b: 'never' }],
  [
    'the first one of a type that browsers play',
    '<audio><source src="a" type="audio/amr"><source src="b" type=audio/ogg></audio>',
    { a: 'never', b: 'always' },
  ],
  [
    'the first one of codecs that browsers play',
    `<video><source src="a" type='video/mp4; codecs="hvc1"'><source src="b" type='video/mp4; codecs="avc1.42E01E, mp4a.40.2"'></video>`,
    { a: 'never', b: 'always' },
  ],
  [
    'one that is converted, if there is no other',
    '<video><source src="a" type="video/quicktime"></video>',
    { a: 'always' },
  ],
  ['none in an element with a source of its own', '<video src=""><source src="a"></video>', { a: 'never' }],
  ['none that is empty', '<video><source src=""><source src="b"></video>', { '': 'never', b: 'always' }],
  [
    'one of several, by a media query',
    '<video><source src="a" media="(orientation: portrait)"><source src="b"><source src="c"></video>',
    { a: 'maybe', b: 'maybe', c: 'never' },
  ],
  ['any in a picture', '<picture><source src="a"><source src="b"><img></picture>', { a: 'maybe', b: 'maybe' }],
])('loads %s', (_, markup, expected) => expect(uses(markup)).toEqual(expected));
