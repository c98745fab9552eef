// Rules for sounds that become quieter under others.
import { attr } from '../../model/attributes.ts';
import { parseDuck } from '../../model/soundShape.ts';
import { textField } from '../../model/variables/fields.ts';
import type { RuleContext, RuleFinding } from '../context.ts';

/** Texts that cannot be read, and targets that do not exist. Such an attribute has no effect. */
export function invalidDucks(context: RuleContext): RuleFinding[] {
  const { composition } = context;
  const ids = new Set(composition.html.elements.map(({ attributes }) => attributes.get('id')?.value));
  const tracks = new Set(composition.clips.map(({ trackIndex }) => trackIndex?.raw));
  return composition.media.flatMap(({ element }): RuleFinding[] => {
    const field = textField(element, attr.duck);
    if (!field || element.attributes.get(attr.duck)?.hasPlaceholder) return [];
    const { text, span } = field;
    const spec = parseDuck(text);
    if (!spec) {
      const form = 'an id or a track, then optionally decibels from -60 to 0 and two numbers of seconds';
      return [{ message: `${attr.duck} must be ${form} (got "${text}")`, span }];
    }
    if (ids.has(spec.target) || tracks.has(spec.target)) return [];
    return [{ message: `No element has the id "${spec.target}", and no clip is on a track with this number`, span }];
  });
}
