// Completion of plain values: numbers in sensible steps, frame rates, flags, ids of compositions; and ids in bindings.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import { type AttributeKey, attr, attributeSpecs } from '../../renderer-core/model/attributes.ts';
import { mediaLength, seconds, targetOf } from './clipTimes.ts';
import { type Offer, valueItem } from './completionItems.ts';
import { variableDetail, variableMarkdown } from './describe.ts';
import type { SourceFile } from './file.ts';
import { isOurs, type ValuePlace } from './place.ts';

/** Values of an attribute that is a number, a flag or an id. */
export function completeValue(file: SourceFile, place: ValuePlace, offset: number): CompletionItem[] {
  // The HTML server knows the others.
  if (!isOurs(place.key)) return [];
  const offers = attributeSpecs[place.key].value === 'flag' ? flags : offersFor(file, place);
  return offers.map((offer, sort) =>
    valueItem(file, place, offset, { kind: CompletionItemKind.Value, sort, ...offer }),
  );
}

/** Ids of the file's variables, for `data-var-text` and `data-var-src`; those that hold text first where a URL is wanted. */
export function completeBinding(file: SourceFile, place: ValuePlace, offset: number): CompletionItem[] {
  return file.composition.declarations.map((declaration, index) => {
    const isLast = place.key === 'varSrc' && declaration.type !== 'string';
    return valueItem(file, place, offset, {
      label: declaration.id,
      kind: CompletionItemKind.Variable,
      detail: variableDetail(declaration),
      documentation: variableMarkdown(declaration),
      sort: isLast ? 1000 + index : index,
    });
  });
}

const flags: Offer[] = [{ label: 'true' }, { label: 'false' }];

const steps: Partial<Record<AttributeKey, readonly (readonly [string, string?])[]>> = {
  width: [
    ['1920', 'Full HD, landscape'],
    ['1080', 'portrait or square'],
    ['1280', 'HD, landscape'],
    ['3840', '4K, landscape'],
  ],
  height: [
    ['1080', 'Full HD, landscape or square'],
    ['1920', 'portrait'],
    ['720', 'HD, landscape'],
    ['2160', '4K, landscape'],
  ],
  fps: [
    ['30', 'default'],
    ['60'],
    ['25', 'PAL'],
    ['24', 'film'],
    ['50', 'PAL, smooth'],
    ['24000/1001', '23.976, NTSC film'],
    ['30000/1001', '29.97, NTSC'],
    ['60000/1001', '59.94, NTSC'],
  ],
  duration: [['1'], ['2'], ['3'], ['5'], ['10'], ['30']],
  mediaStart: [['0', 'from the beginning'], ['1'], ['2'], ['5'], ['10']],
  playbackRate: [['1', 'as recorded'], ['0.5', 'half speed'], ['1.5'], ['2', 'double speed'], ['0.25'], ['4']],
  volume: [['1', 'as recorded'], ['0.75'], ['0.5'], ['0.25'], ['0', 'silent']],
};

function offersFor(file: SourceFile, place: ValuePlace): Offer[] {
  const fixed = (steps[place.key] ?? []).map(([label, detail]) => ({ label, detail }));
  if (place.key === 'duration') return [...naturalDurations(file, place), ...fixed];
  if (place.key === 'trackIndex') return tracks(file);
  if (place.key === 'compositionId') return compositionIds(file, place);
  return fixed;
}

/** The length that the element has by itself. */
function naturalDurations(file: SourceFile, { element }: ValuePlace): Offer[] {
  const target = element.attributes.has(attr.compositionSrc) ? targetOf(file, element) : undefined;
  const embedded = target?.composition.duration?.value;
  if (target && embedded) return [{ label: String(embedded), detail: `length of ${target.path}` }];
  const media = file.composition.media.find((each) => each.element === element);
  const length = media && mediaLength(file, media);
  return length
    ? [{ label: String(Math.round(length * 1000) / 1000), detail: `length of the file, ${seconds(length)}` }]
    : [];
}

/** The tracks that are used, and one more. */
function tracks({ composition }: SourceFile): Offer[] {
  const counts = new Map<number, number>();
  for (const { trackIndex } of composition.clips) {
    if (trackIndex?.value != null) counts.set(trackIndex.value, (counts.get(trackIndex.value) ?? 0) + 1);
  }
  const used = [...counts].sort(([a], [b]) => a - b).slice(0, 50);
  const next = Math.max(-1, ...counts.keys()) + 1;
  return [
    ...used.map(([track, clips]) => ({ label: String(track), detail: `${clips} ${clips === 1 ? 'clip' : 'clips'}` })),
    { label: String(next), detail: 'a new track' },
  ];
}

/** The id of the embedded composition; on a composition of this file the file's name. */
function compositionIds(file: SourceFile, { element }: ValuePlace): Offer[] {
  const target = targetOf(file, element);
  if (target?.composition.id?.text)
    return [{ label: target.composition.id.text, detail: `composition of ${target.path}` }];
  if (element.startTag.start !== file.composition.root?.startTag.start) return [];
  const name = file.path.replace(/^.*\//, '').replace(/\.html?$/i, '');
  return name === 'index' ? [{ label: 'main' }] : [{ label: name, detail: 'name of the file' }];
}
