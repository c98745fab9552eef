// Completion of plain values: numbers, frame rates, flags, composition IDs, and variable IDs in bindings.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import { type AttributeKey, attr, attributeSpecs } from '../../../renderer-core/model/attributes.ts';
import { clipTimes, mediaLength, round, seconds, targetOf } from '../clipTimes.ts';
import { isOurs, type ValueContext } from '../cursorContext.ts';
import { variableDetail, variableMarkdown } from '../hover/descriptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import { type Offer, valueItem } from './completionItems.ts';

export function completeValue(file: SourceFile, context: ValueContext, offset: number): CompletionItem[] {
  // The HTML language server completes the others.
  if (!isOurs(context.key)) return [];
  const offers = attributeSpecs[context.key].value === 'flag' ? flags : offersFor(file, context);
  return offers.map((offer, sort) =>
    valueItem(file, context, offset, { kind: CompletionItemKind.Value, sort, ...offer }),
  );
}

/** Offers variable IDs for `data-var-text` and `data-var-src`; for the latter, string variables first. */
export function completeBinding(file: SourceFile, context: ValueContext, offset: number): CompletionItem[] {
  return file.composition.declarations.map((declaration, index) => {
    const isLast = context.key === 'varSrc' && declaration.type !== 'string';
    return valueItem(file, context, offset, {
      label: declaration.id,
      kind: CompletionItemKind.Variable,
      detail: variableDetail(declaration),
      documentation: variableMarkdown(declaration),
      sort: isLast ? 1000 + index : index,
    });
  });
}

/** Offers the conditions that a variable can be in: whether it has a value, or which option it is. */
export function completeCondition(file: SourceFile, context: ValueContext, offset: number): CompletionItem[] {
  return file.composition.declarations
    .flatMap((declaration) => {
      const { id, type, options = [] } = declaration;
      const forms = type === 'enum' ? options.map(({ value }) => `${id}=${value}`) : [id, `!${id}`];
      return forms.map((label) => ({ label, declaration }));
    })
    .map(({ label, declaration }, sort) =>
      valueItem(file, context, offset, {
        label,
        sort,
        kind: CompletionItemKind.Variable,
        detail: variableDetail(declaration),
        documentation: variableMarkdown(declaration),
      }),
    );
}

const flags: Offer[] = [{ label: 'true' }, { label: 'false' }];

const steps = (): Partial<Record<AttributeKey, readonly (readonly [string, string?])[]>> => ({
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
  timezone: [['UTC', 'default'], ...Intl.supportedValuesOf('timeZone').map((name) => [name] as const)],
  locale: [
    ['en-US', 'default'],
    ...[
      'ar-EG',
      'de-DE',
      'en-GB',
      'es-ES',
      'fr-FR',
      'hi-IN',
      'it-IT',
      'ja-JP',
      'ko-KR',
      'nl-NL',
      'pl-PL',
      'pt-BR',
      'tr-TR',
      'zh-CN',
    ].map((tag) => [tag] as const),
  ],
  sizes: [
    ['1920x1080 1080x1920', 'landscape and portrait'],
    ['1920x1080 1080x1920 1080x1080', 'landscape, portrait and square'],
  ],
  duration: [['1'], ['2'], ['3'], ['5'], ['10'], ['30']],
  mediaStart: [['0', 'from the beginning'], ['1'], ['2'], ['5'], ['10']],
  playbackRate: [['1', 'as recorded'], ['0.5', 'half speed'], ['1.5'], ['2', 'double speed'], ['0.25'], ['4']],
  fadeIn: [['0.5'], ['1'], ['2']],
  fadeOut: [['0.5'], ['1'], ['2']],
  volume: [['1', 'as recorded'], ['0.75'], ['0.5'], ['0.25'], ['0', 'silent']],
});

function offersFor(file: SourceFile, context: ValueContext): Offer[] {
  const fixed = (steps()[context.key] ?? []).map(([label, detail]) => ({ label, detail }));
  if (context.key === 'duration') return [...naturalDurations(file, context), ...fixed];
  if (context.key === 'posterTime') return posterTimes(file);
  if (context.key === 'trackIndex') return tracks(file);
  if (context.key === 'compositionId') return compositionIds(file, context);
  if (context.key === 'duck') return otherSounds(file, context);
  return fixed;
}

/** The duration of the embedded composition or the media file. */
function naturalDurations(file: SourceFile, { element }: ValueContext): Offer[] {
  const target = element.attributes.has(attr.compositionSrc) ? targetOf(file, element) : undefined;
  const embedded = target?.composition.duration?.value;
  if (target && embedded) return [{ label: String(embedded), detail: `duration of ${target.path}` }];
  const media = file.composition.media.find((each) => each.element === element);
  const length = media && mediaLength(file, media);
  return length
    ? [
        {
          label: String(Math.round(length * 1000) / 1000),
          detail: `duration of the media file, ${seconds(length)}`,
        },
      ]
    : [];
}

/** The middle of the video, and the middle of each of its first clips. */
function posterTimes(file: SourceFile): Offer[] {
  const duration = file.composition.duration?.value;
  const offers: Offer[] = duration ? [{ label: String(round(duration / 2)), detail: 'middle of the video' }] : [];
  for (const [element, { start, end }] of clipTimes(file).byElement) {
    const name = file.composition.clips.find((clip) => clip.element === element)?.name;
    if (end !== null && name !== undefined)
      offers.push({ label: String(round((start + end) / 2)), detail: `middle of ${name}` });
  }
  const labels = new Set<string>();
  return offers.filter(({ label }) => !labels.has(label) && labels.add(label)).slice(0, 20);
}

/** The tracks in use, and a new one. */
function tracks({ composition }: SourceFile): Offer[] {
  const counts = new Map<number, number>();
  for (const { trackIndex } of composition.clips) {
    if (trackIndex?.value != null) counts.set(trackIndex.value, (counts.get(trackIndex.value) ?? 0) + 1);
  }
  const used = [...counts].sort(([a], [b]) => a - b).slice(0, 50);
  const next = Math.max(-1, ...counts.keys()) + 1;
  return [
    ...used.map(([track, clips]) => ({ label: String(track), detail: `${clips} ${clips === 1 ? 'clip' : 'clips'}` })),
    { label: String(next), detail: 'new track' },
  ];
}

/** The other sounds of the file by their IDs, and the tracks that they are on. */
function otherSounds({ composition }: SourceFile, { element }: ValueContext): Offer[] {
  const others = composition.media.filter((media) => media.element !== element);
  const ids = others.flatMap(({ clip, kind }) =>
    clip?.ids[0] === undefined ? [] : [{ label: clip.ids[0], detail: kind }],
  );
  const numbers = [...new Set(others.flatMap(({ clip }) => clip?.trackIndex?.raw ?? []))];
  return [...ids, ...numbers.map((label) => ({ label, detail: 'track' }))];
}

/** The ID of the embedded composition; on the file's own composition, its file name. */
function compositionIds(file: SourceFile, { element }: ValueContext): Offer[] {
  const target = targetOf(file, element);
  if (target?.composition.id?.text)
    return [{ label: target.composition.id.text, detail: `composition of ${target.path}` }];
  if (element.startTag.start !== file.composition.root?.startTag.start) return [];
  const name = file.path.replace(/^.*\//, '').replace(/\.html?$/i, '');
  return name === 'index' ? [{ label: 'main' }] : [{ label: name, detail: 'file name' }];
}
