// The table of rules. A row says what is wrong in a few words; docs/rules.md says why, with examples.
import * as assets from './assetRules.ts';
import * as compositions from './compositionRules.ts';
import type { Found, RuleContext } from './context.ts';
import * as declarations from './declarationRules.ts';
import * as embedding from './embeddingRules.ts';
import type { FindingSeverity } from './finding.ts';
import * as instances from './instanceRules.ts';
import * as numbers from './numberRules.ts';
import * as options from './optionRules.ts';
import * as reads from './readRules.ts';
import * as rejected from './rejectedRules.ts';
import * as scripts from './scriptRules.ts';
import * as timing from './timingRules.ts';
import * as tracks from './trackRules.ts';

export type Rule = {
  /** Stable: settings, comments and pages name it. */
  id: string;
  /** Where a finding does not say otherwise. */
  severity: FindingSeverity;
  /** What is wrong, as a heading. */
  title: string;
  /** The path of its page in the package, with the anchor. */
  doc: string;
  check(context: RuleContext): readonly Found[];
};

/** Where a rule is explained. */
export function ruleDoc(id: string): string {
  return `docs/rules.md#${id}`;
}

function rule(id: string, severity: FindingSeverity, title: string, check: Rule['check']): Rule {
  return { id, severity, title, doc: ruleDoc(id), check };
}

/** Findings of these two are made from the ignore comments themselves (see lintFile.ts). */
export const unknownRule = 'unknown-rule';
export const unusedIgnore = 'unused-ignore';

const nothing = (): readonly Found[] => [];

export const rules: readonly Rule[] = [
  // The file as a whole.
  rule('no-composition', 'error', 'File without a composition', compositions.noComposition),
  rule('empty-composition-id', 'error', 'Empty composition id', compositions.missingId),
  rule('duplicate-composition-id', 'warning', 'Composition id given twice', embedding.duplicateCompositionIds),
  rule('missing-size', 'error', 'Composition without width or height', compositions.missingSize),
  rule('missing-duration', 'info', 'Composition without a duration', compositions.missingDuration),
  rule('not-a-number', 'error', 'Attribute that must be a number', numbers.numberProblems('not-a-number')),
  rule('number-out-of-range', 'error', 'Number outside its range', numbers.numberProblems('out-of-range')),

  // Declarations of variables.
  rule('invalid-declarations', 'error', 'Declarations that are no JSON array', declarations.invalidDeclarations),
  rule('misplaced-declarations', 'warning', 'Declarations that are not read', declarations.misplacedDeclarations),
  rule('not-a-declaration', 'error', 'Declaration that is no object', rejected.rejectedFor('not-an-object')),
  rule('missing-id', 'error', 'Declaration without an id', rejected.rejectedFor('missing-id')),
  rule('invalid-id', 'error', 'Id that cannot be one', rejected.rejectedFor('invalid-id')),
  rule('duplicate-variable', 'error', 'Variable declared twice', rejected.rejectedFor('duplicate-id')),
  rule('missing-type', 'error', 'Declaration without a type', rejected.rejectedFor('missing-type')),
  rule('unknown-type', 'error', 'Type that does not exist', rejected.rejectedFor('unknown-type')),
  rule('missing-label', 'error', 'Declaration without a label', declarations.missingLabel),
  rule('missing-default', 'error', 'Declaration without a default', declarations.missingDefault),
  rule('default-type', 'error', 'Default of another type', rejected.rejectedFor('default-mismatch')),
  rule('enum-without-options', 'error', 'Enum without options', options.enumWithoutOptions),
  rule('default-not-an-option', 'error', 'Default that is none of the options', options.defaultNotAnOption),
  rule('duplicate-option', 'warning', 'Option given twice', options.duplicateOptions),
  rule('default-out-of-range', 'warning', 'Default outside its own range', options.defaultOutOfRange),
  rule('contradictory-range', 'warning', 'Range that holds no value', options.contradictoryRange),
  rule('ignored-field', 'warning', 'Field that is passed over', declarations.ignoredFields),

  // Where variables are read.
  rule('undeclared-binding', 'warning', 'Binding to an undeclared variable', reads.undeclaredReads('text', 'src')),
  rule('unresolved-reference', 'warning', 'Reference that no variable answers', reads.undeclaredReads('grading')),
  rule('undeclared-read', 'warning', 'Script that reads an undeclared variable', reads.undeclaredReads('script')),
  rule('different-default', 'warning', 'Fallback that differs from the declared default', reads.differentDefaults),
  rule('unused-variable', 'info', 'Variable that nothing reads', reads.unusedVariables),
  rule('module-reads-variables', 'warning', 'Module script that reads variables', scripts.moduleScripts),

  // Embedded compositions and their values.
  rule('missing-composition', 'error', 'Composition file that does not exist', embedding.missingCompositions),
  rule('not-a-composition', 'error', 'Embedded file without a composition', embedding.notCompositions),
  rule('circular-composition', 'error', 'Composition that embeds itself', embedding.circularCompositions),
  rule('invalid-values', 'error', 'Values that are no JSON object', instances.invalidValues),
  rule('undeclared-value', 'warning', 'Value for an undeclared variable', instances.valueIssues('undeclared')),
  rule('value-type', 'warning', 'Value of another type', instances.valueIssues('type-mismatch')),
  rule(
    'value-not-an-option',
    'warning',
    'Value that is none of the options',
    instances.valueIssues('enum-out-of-range'),
  ),
  rule('duplicate-value', 'warning', 'Value given twice', instances.duplicateValues),

  // Clips in time.
  rule('invalid-start', 'error', 'Start that cannot be read', timing.invalidStarts),
  rule('unknown-clip', 'error', 'Start that names no clip', timing.timelineProblems('unknown-id')),
  rule('circular-start', 'error', 'Clips that wait for each other', timing.timelineProblems('cycle')),
  rule('unknown-end', 'error', 'Start behind a clip without an end', timing.timelineProblems('unknown-duration')),
  rule('foreign-clip', 'warning', 'Start that names a clip of another composition', timing.foreignClips),
  rule(
    'start-before-zero',
    'warning',
    'Clip that starts before the composition',
    timing.timelineProblems('negative-start'),
  ),
  rule('unseen-clip', 'warning', 'Clip that never shows', timing.unseenClips),
  rule('overlapping-clips', 'warning', 'Clips that overlap on one track', tracks.overlaps),
  rule('root-start', 'warning', 'Start on the root composition', timing.rootStart),

  // Assets, grading and scripts.
  rule('missing-asset', 'error', 'File that does not exist', assets.missingAssets),
  rule('asset-outside-project', 'warning', 'File outside the project folder', assets.outsideAssets),
  rule('inlined-media', 'warning', 'Media written out as base64', assets.inlinedMedia),
  rule('invalid-grading', 'warning', 'Grading that cannot be used', compositions.invalidGradings),
  rule('network-in-script', 'warning', 'Script that asks the network', scripts.networkInScripts),
  rule('wall-clock', 'info', 'Script that asks for the time', scripts.wallClock),
  rule('unseeded-random', 'info', 'Script that draws random numbers', scripts.unseededRandom),

  // Ignore comments.
  rule(unknownRule, 'warning', 'Comment that names no rule', nothing),
  rule(unusedIgnore, 'info', 'Comment that silences nothing', nothing),
];
