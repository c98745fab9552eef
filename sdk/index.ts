// The public API of the package.

export {
  allCloudRenders,
  deleteCloudRender,
  getCloudRender,
  listCloudRenders,
} from '../cloud/client/accountRenders.ts';
export type { ApiClient, ApiClientOptions } from '../cloud/client/apiClient.ts';
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
export type { CheckEvent, CheckRequest } from '../renderer-core/check/checkProject.ts';
export type { CheckedRow as CheckedPageRow, CheckFinding, CheckReport } from '../renderer-core/check/checkReport.ts';
export type { SoundsRequest } from '../renderer-core/check/listSounds.ts';
export type { ListedSound, SoundsReport } from '../renderer-core/check/soundsReport.ts';
export { describeProject } from '../renderer-core/describeProject.ts';
export { type ErrorCode, type ErrorDetails, UserError } from '../renderer-core/errors.ts';
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
export type { ValueIssue } from '../renderer-core/model/variables/valueIssue.ts';
export { checkValues, mergeValues } from '../renderer-core/model/variables/values.ts';
export type {
  VariableDeclaration,
  VariableOption,
  VariableType,
  VariableValue,
} from '../renderer-core/model/variables/variables.ts';
export { type BatchCheck, type CheckedRow, checkBatchRows } from '../renderer-core/plan/batch.ts';
export { type BatchKind, type BatchProblem, type BatchRows, readBatchRows } from '../renderer-core/plan/batchFile.ts';
export type { RenderPlan } from '../renderer-core/plan/renderPlan.ts';
export type { BatchEvent, BatchReport, BatchResult } from '../renderer-core/render/batch/batchReport.ts';
export type { BatchRequest, PreparedBatch } from '../renderer-core/render/batch/batchTypes.ts';
export type { ManifestFile, ManifestRow, RowStatus } from '../renderer-core/render/batch/manifestFile.ts';
export type { RenderEvent, RenderReport } from '../renderer-core/render/renderReport.ts';
export type { SnapshotPicture, SnapshotReport } from '../renderer-core/render/snapshot/snapshotReport.ts';
export type { SnapshotRequest } from '../renderer-core/render/snapshot/takeSnapshot.ts';
export type { RenderRequest } from '../renderer-core/render/types.ts';
export type { ErrorProblem, SourceLocation as SourcePlace } from '../renderer-core/reports/errorJson.ts';
export type {
  DescribedComposition,
  EmbeddedComposition,
  ProjectDescription,
} from '../renderer-core/reports/projectDescription.ts';
export type { ChunkSettings, ServerlessConfig } from '../serverless/renders/execution.ts';
export { computeRenderCost, type RenderCost, type RenderWork } from '../serverless/renders/prices.ts';
export type {
  RenderError,
  RenderHandle,
  RenderProgress,
  SiteHandle,
  SiteUpload,
} from '../serverless/renders/reports.ts';
export type { RenderToServerlessOptions } from '../serverless/renders/start.ts';
export {
  checkProject,
  listSounds,
  planBatch,
  planRender,
  renderBatch,
  renderSizes,
  renderVideo,
  takeSnapshot,
} from './renders.ts';
export { createApiClient, deploySite, getRenderProgress, renderToServerless } from './services.ts';
