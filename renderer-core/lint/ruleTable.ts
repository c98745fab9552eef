// The rule table. docs/rules.md explains each rule with examples.

import { isCheck } from './checkTable.ts';
import type { RuleContext, RuleFinding } from './context.ts';
import type { FindingSeverity } from './finding.ts';
import * as assets from './rules/assetRules.ts';
import * as captions from './rules/captionRules.ts';
import * as compositions from './rules/compositionRules.ts';
import * as conditions from './rules/conditionRules.ts';
import * as declarations from './rules/declarationRules.ts';
import * as embedding from './rules/embeddingRules.ts';
import * as encodings from './rules/encodingRules.ts';
import * as fonts from './rules/fontRules.ts';
import * as ignored from './rules/ignoredFieldRules.ts';
import * as instances from './rules/instanceRules.ts';
import * as numbers from './rules/numberRules.ts';
import * as options from './rules/optionRules.ts';
import * as reads from './rules/readRules.ts';
import * as rejected from './rules/rejectedRules.ts';
import * as scripts from './rules/scriptRules.ts';
import * as sounds from './rules/soundRules.ts';
import * as timing from './rules/timingRules.ts';
import * as tracks from './rules/trackRules.ts';

export type Rule = {
  /** Stable, because settings, comments and docs refer to it. */
  id: string;
  /** The default; a finding can have another one. */
  severity: FindingSeverity;
  /** The problem as a heading. */
  title: string;
  /** The path of its documentation in the package, with the anchor. */
  doc: string;
  check(context: RuleContext): readonly RuleFinding[];
};

/** The documentation of a rule or a check. */
export function ruleDoc(id: string): string {
  return `docs/${isCheck(id) ? 'check' : 'rules'}.md#${id}`;
}

function rule(id: string, severity: FindingSeverity, title: string, check: Rule['check']): Rule {
  return { id, severity, title, doc: ruleDoc(id), check };
}

/** Findings of these two rules come from the ignore comments (see lintFile.ts). */
export const unknownRule = 'unknown-rule';
export const unusedIgnore = 'unused-ignore';

const nothing = (): readonly RuleFinding[] => [];

export const rules: readonly Rule[] = [
  // The file as a whole.
  rule('no-composition', 'error', 'File without a composition', compositions.noComposition),
  rule('text-encoding', 'error', 'Text that cannot be decoded', encodings.textEncoding),
  rule('empty-composition-id', 'error', 'Empty composition id', compositions.missingId),
  rule('duplicate-composition-id', 'warning', 'Duplicate composition id', embedding.duplicateCompositionIds),
  rule('missing-size', 'error', 'Composition without a width or height', compositions.missingSize),
  rule('missing-duration', 'info', 'Composition without a duration', compositions.missingDuration),
  rule('not-a-number', 'error', 'Attribute value that is not a number', numbers.numberProblems('not-a-number')),
  rule('number-out-of-range', 'error', 'Number out of range', numbers.numberProblems('out-of-range')),

  // Declarations of variables.
  rule('invalid-declarations', 'error', 'Declarations that are not a JSON array', declarations.invalidDeclarations),
  rule('misplaced-declarations', 'warning', 'Declarations on the wrong element', declarations.misplacedDeclarations),
  rule('not-a-declaration', 'error', 'Declaration that is not an object', rejected.rejectedFor('not-an-object')),
  rule('missing-id', 'error', 'Declaration without an id', rejected.rejectedFor('missing-id')),
  rule('invalid-id', 'error', 'Invalid variable id', rejected.rejectedFor('invalid-id')),
  rule('duplicate-variable', 'error', 'Variable declared twice', rejected.duplicateVariables),
  rule('missing-type', 'error', 'Declaration without a type', rejected.rejectedFor('missing-type')),
  rule('unknown-type', 'error', 'Unknown variable type', rejected.rejectedFor('unknown-type')),
  rule('missing-label', 'error', 'Declaration without a label', declarations.missingLabel),
  rule('missing-default', 'error', 'Declaration without a default', declarations.missingDefault),
  rule('default-type', 'error', 'Default of the wrong type', rejected.rejectedFor('default-mismatch')),
  rule('enum-without-options', 'error', 'Enum without options', options.enumWithoutOptions),
  rule('default-not-an-option', 'error', 'Default that is not an option', options.defaultNotAnOption),
  rule('duplicate-option', 'warning', 'Duplicate option', options.duplicateOptions),
  rule('default-out-of-range', 'warning', 'Default out of range', options.defaultOutOfRange),
  rule('contradictory-range', 'warning', 'Range that allows no value', options.contradictoryRange),
  rule('ignored-field', 'warning', 'Ignored field', ignored.ignoredFields),

  // Where variables are read.
  rule(
    'undeclared-binding',
    'warning',
    'Binding to an undeclared variable',
    reads.undeclaredReads('text', 'src', 'if'),
  ),
  rule('invalid-condition', 'error', 'Condition that is invalid or never met', conditions.invalidConditions),
  rule(
    'unresolved-reference',
    'warning',
    'Reference to an undeclared variable',
    reads.undeclaredReads('grading', 'value'),
  ),
  rule('undeclared-read', 'warning', 'Script that reads an undeclared variable', reads.undeclaredReads('script')),
  rule('different-default', 'warning', 'Fallback that differs from the declared default', reads.differentDefaults),
  rule('unused-variable', 'info', 'Unused variable', reads.unusedVariables),
  rule('module-reads-variables', 'warning', 'Module script that reads variables', scripts.moduleScripts),

  // Embedded compositions and their values.
  rule('missing-composition', 'error', 'Missing composition file', embedding.missingCompositions),
  rule('not-a-composition', 'error', 'Embedded file without a composition', embedding.notCompositions),
  rule('circular-composition', 'error', 'Composition that embeds itself', embedding.circularCompositions),
  rule('module-in-embedded-file', 'error', 'Module script in an embedded file', scripts.modulesInEmbeddedFile),
  rule('invalid-values', 'error', 'Values that are not a JSON object', instances.invalidValues),
  rule('undeclared-value', 'warning', 'Value for an undeclared variable', instances.valueIssues('undeclared')),
  rule('value-type', 'warning', 'Value of the wrong type', instances.valueIssues('type-mismatch')),
  rule('value-not-an-option', 'warning', 'Value that is not an option', instances.valueIssues('enum-out-of-range')),
  rule('duplicate-value', 'warning', 'Duplicate value', instances.duplicateValues),

  // Clips in time.
  rule('invalid-start', 'error', 'Invalid start', timing.invalidStarts),
  rule('unknown-clip', 'error', 'Start that refers to an unknown clip', timing.timelineProblems('unknown-id')),
  rule('circular-start', 'error', 'Clips that depend on each other', timing.timelineProblems('cycle')),
  rule('unknown-end', 'error', 'Start after a clip whose end is unknown', timing.timelineProblems('unknown-duration')),
  rule('foreign-clip', 'warning', 'Start that refers to a clip of another composition', timing.foreignClips),
  rule(
    'start-before-zero',
    'warning',
    'Clip that starts before the composition',
    timing.timelineProblems('negative-start'),
  ),
  rule('unseen-clip', 'warning', 'Clip that is never visible', timing.unseenClips),
  rule('overlapping-clips', 'warning', 'Clips that overlap on one track', tracks.overlaps),
  rule('gap-between-clips', 'warning', 'Gap of less than a frame between clips of one track', tracks.gaps),
  rule('root-start', 'warning', 'Start on the root composition', timing.rootStart),
  rule('invalid-duck', 'warning', 'Sound that is never made quieter', sounds.invalidDucks),

  rule('invalid-captions', 'warning', 'Captions that cannot be read', captions.invalidCaptions),
  rule('overlapping-captions', 'warning', 'Captions that overlap', captions.overlappingCaptions),
  rule('captions-after-end', 'warning', 'Captions after the end of the video', captions.captionsAfterEnd),
  rule('fast-captions', 'info', 'Captions that are too fast to read', captions.fastCaptions),

  rule('unknown-locale', 'error', 'Unknown time zone or language', compositions.unknownLocales),
  rule('invalid-sizes', 'error', 'Sizes that cannot be read', compositions.invalidSizes),

  // Assets, fonts, grading and scripts.
  rule('missing-asset', 'error', 'Missing file', assets.missingAssets),
  rule('asset-outside-project', 'error', 'File outside the project folder', assets.outsideAssets),
  rule('inlined-media', 'warning', 'Media embedded as base64', assets.inlinedMedia),
  rule('system-font', 'info', 'Font that is not available', fonts.systemFonts),
  rule('remote-font', 'info', 'Font from the network', fonts.remoteFonts),
  rule('missing-glyph', 'warning', 'Character that no font has', fonts.missingGlyphs),
  rule('invalid-grading', 'warning', 'Invalid color grading', compositions.invalidGradings),
  rule('network-in-script', 'warning', 'Script that accesses the network', scripts.networkInScripts),
  rule('own-clock', 'warning', 'Content that does not follow the time of the video', scripts.ownClock),
  rule('sound-of-script', 'warning', 'Script whose sound is missing from the video', scripts.soundOfScripts),
  rule('wall-clock', 'info', 'Script that reads the clock', scripts.wallClock),
  rule('unseeded-random', 'info', 'Script that uses random numbers', scripts.unseededRandom),

  // Ignore comments.
  rule(unknownRule, 'warning', 'Ignore comment that names an unknown rule', nothing),
  rule(unusedIgnore, 'info', 'Ignore comment without effect', nothing),
];
