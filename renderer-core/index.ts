// The public SDK, and nothing else.
export { type ErrorCode, type SourcePlace, UserError } from './errors.ts';
export type { Finding, FindingSeverity, Fix, RelatedPlace, TextEdit } from './lint/finding.ts';
export type { RuleLevel } from './lint/settings.ts';
export {
  type FixedFile,
  type LintOptions,
  type LintReport,
  type LocatedFinding,
  lintProject,
} from './lintProject.ts';
export { type CompositionMetadata, extractCompositionMetadata } from './model/metadata.ts';
export { checkValues, mergeValues, type ValueIssue } from './model/values.ts';
export type { VariableDeclaration, VariableOption, VariableType, VariableValue } from './model/variables.ts';
export type { RenderPlan } from './plan/plan.ts';
export {
  planRender,
  type RenderEvent,
  type RenderReport,
  type RenderRequest,
  renderVideo,
} from './render/renderVideo.ts';
