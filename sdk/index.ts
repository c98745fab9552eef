// The public API of the package.

export {
  allCloudRenders,
  deleteCloudRender,
  getCloudRender,
  listCloudRenders,
} from '../cloud/client/accountRenders.ts';
export { type ApiClient, type ApiClientOptions, createApiClient } from '../cloud/client/apiClient.ts';
export type { Page, RenderOrder, RenderRecord, RenderStatus } from '../cloud/client/apiTypes.ts';
export type { CloudEvent } from '../cloud/client/cloudEvents.ts';
export {
  type CloudPlan,
  type CloudRenderRequest,
  type CloudReport,
  planCloudRender,
  renderInCloud,
} from '../cloud/client/cloudRender.ts';
export { type FinishOptions, finishRender as finishCloudRender } from '../cloud/client/finishRender.ts';
export {
  type DescribedComposition,
  describeProject,
  type EmbeddedComposition,
  type ProjectDescription,
} from '../renderer-core/describeProject.ts';
export {
  type ErrorCode,
  type ErrorDetails,
  type ErrorProblem,
  type SourceLocation as SourcePlace,
  UserError,
} from '../renderer-core/errors.ts';
export type {
  Finding,
  FindingSeverity,
  Fix,
  RelatedInformation as RelatedPlace,
  TextEdit,
} from '../renderer-core/lint/finding.ts';
export type { RuleLevel } from '../renderer-core/lint/settings.ts';
export {
  type FixedFile,
  type LintOptions,
  type LintReport,
  type LocatedFinding,
  lintProject,
} from '../renderer-core/lintProject.ts';
export { type CompositionMetadata, extractCompositionMetadata } from '../renderer-core/model/metadata.ts';
export { checkValues, mergeValues, type ValueIssue } from '../renderer-core/model/values.ts';
export type {
  VariableDeclaration,
  VariableOption,
  VariableType,
  VariableValue,
} from '../renderer-core/model/variables.ts';
export { type BatchCheck, type CheckedRow, checkBatchRows } from '../renderer-core/plan/batch.ts';
export { type BatchKind, type BatchProblem, type BatchRows, readBatchRows } from '../renderer-core/plan/batchFile.ts';
export type { RenderPlan } from '../renderer-core/plan/plan.ts';
export type {
  BatchEvent,
  BatchReport,
  BatchRequest,
  BatchResult,
  PreparedBatch,
} from '../renderer-core/render/batch/batchTypes.ts';
export type { ManifestFile, ManifestRow, RowStatus } from '../renderer-core/render/batch/manifest.ts';
export { planBatch, renderBatch } from '../renderer-core/render/batch/renderBatch.ts';
export { planRender, renderVideo } from '../renderer-core/render/pipeline.ts';
export {
  type SnapshotPicture,
  type SnapshotReport,
  type SnapshotRequest,
  takeSnapshot,
} from '../renderer-core/render/snapshot/takeSnapshot.ts';
export type { RenderEvent, RenderReport, RenderRequest } from '../renderer-core/render/types.ts';
export type { ChunkSettings, ServerlessConfig } from '../serverless/execution.ts';
export { computeRenderCost, type RenderCost, type RenderWork } from '../serverless/prices.ts';
export type { RenderError, RenderProgress } from '../serverless/progress.ts';
export { deploySite, getRenderProgress, renderToServerless } from '../serverless/sdk.ts';
export type { SiteHandle, SiteUpload } from '../serverless/sites.ts';
export type { RenderHandle, RenderToServerlessOptions } from '../serverless/start.ts';
