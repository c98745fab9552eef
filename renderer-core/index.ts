// The public SDK, and nothing else.
export { type ApiClient, type ApiClientOptions, createApiClient } from './cloud/apiClient.ts';
export type { Page, RenderOrder, RenderRecord, RenderStatus } from './cloud/apiTypes.ts';
export {
  type CloudPlan,
  type CloudRenderRequest,
  type CloudReport,
  planCloudRender,
  renderInCloud,
} from './cloud/cloudRender.ts';
export type { CloudEvent } from './cloud/events.ts';
export { type FinishOptions, finishRender as finishCloudRender } from './cloud/finishRender.ts';
export { allCloudRenders, deleteCloudRender, getCloudRender, listCloudRenders } from './cloud/renders.ts';
export {
  type DescribedComposition,
  describeProject,
  type EmbeddedComposition,
  type ProjectDescription,
} from './describeProject.ts';
export { type ErrorCode, type ErrorDetails, type ErrorProblem, type SourcePlace, UserError } from './errors.ts';
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
export { type BatchCheck, type CheckedRow, checkBatchRows } from './plan/batch.ts';
export { type BatchKind, type BatchProblem, type BatchRows, readBatchRows } from './plan/batchFile.ts';
export type { RenderPlan } from './plan/plan.ts';
export type { PreparedBatch } from './render/batchPlan.ts';
export type { ManifestFile, ManifestRow, RowStatus } from './render/manifest.ts';
export {
  type BatchEvent,
  type BatchReport,
  type BatchRequest,
  type BatchResult,
  planBatch,
  renderBatch,
} from './render/renderBatch.ts';
export {
  planRender,
  type RenderEvent,
  type RenderReport,
  type RenderRequest,
  renderVideo,
} from './render/renderVideo.ts';
export {
  type SnapshotPicture,
  type SnapshotReport,
  type SnapshotRequest,
  takeSnapshot,
} from './render/snapshot.ts';
export type { ChunkSettings, ServerlessConfig } from './serverless/execution.ts';
export { computeRenderCost, type RenderCost, type RenderWork } from './serverless/prices.ts';
export type { RenderError, RenderProgress } from './serverless/progress.ts';
export { deploySite, getRenderProgress, renderToServerless } from './serverless/sdk.ts';
export type { SiteHandle, SiteUpload } from './serverless/sites.ts';
export type { RenderHandle, RenderToServerlessOptions } from './serverless/start.ts';
