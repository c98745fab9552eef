// The table of schemas: the --json output and --progress=ndjson events of every command, and project files. docs/schemas
// is generated from it, and tests check the output of commands against those files.
import { z } from 'zod';
import { addedBlockSchema } from '../../renderer-core/blocks/addBlockReport.ts';
import { checkReportSchema } from '../../renderer-core/check/checkReport.ts';
import { soundsReportSchema } from '../../renderer-core/check/soundsReport.ts';
import { diagnosisSchema } from '../../renderer-core/doctor/diagnosis.ts';
import { fontAdditionSchema } from '../../renderer-core/fonts/fontAddition.ts';
import { fontListSchema } from '../../renderer-core/fonts/fontList.ts';
import { newProjectSchema } from '../../renderer-core/project/newProjectReport.ts';
import { manifestFileSchema } from '../../renderer-core/render/batch/manifestFile.ts';
import { thumbnailReportSchema } from '../../renderer-core/render/finishedVideo/thumbnailReport.ts';
import { renderReportSchema } from '../../renderer-core/render/renderReport.ts';
import { snapshotReportSchema } from '../../renderer-core/render/snapshot/snapshotReport.ts';
import { projectDescriptionSchema } from '../../renderer-core/reports/projectDescription.ts';
import { setUpReportSchema } from '../../renderer-core/setup/setupReport.ts';
import {
  jobStatusSchema,
  joinedJobSchema,
  plannedJobSchema,
  renderedChunkSchema,
} from '../../serverless/jobs/jobReports.ts';
import { renderHandleSchema, renderProgressSchema, siteSchema } from '../../serverless/renders/reports.ts';
import * as checks from './checks.ts';
import { failed } from './errors.ts';
import * as hosted from './hosted.ts';
import * as renders from './renders.ts';
import * as stack from './stack.ts';
import * as tools from './tools.ts';

/** `name` is the base name of the schema file: the command with hyphens, and `-events` for its progress. */
export type SchemaRow = { name: string; title: string; schema: z.ZodType };

const outputSchema = (command: string, ...outputs: z.ZodType[]): SchemaRow => ({
  name: command.replaceAll(' ', '-'),
  title: `framework ${command} --json`,
  schema: z.union([...outputs, failed]),
});

const eventSchema = (command: string, ...events: z.ZodType[]): SchemaRow => ({
  name: `${command.replaceAll(' ', '-')}-events`,
  title: `A line of framework ${command} --progress=ndjson`,
  schema: events.length === 1 && events[0] ? events[0] : z.union(events),
});

const file = (name: string, title: string, schema: z.ZodType): SchemaRow => ({ name, title, schema });

export const schemas: readonly SchemaRow[] = [
  outputSchema(
    'render',
    renderReportSchema,
    renders.dryRun,
    renders.sizesOutput,
    renders.sizesDryRun,
    renders.batchOutput,
    renders.batchDryRun,
  ),
  eventSchema('render', renders.renderEvents, renders.batchEvents),
  outputSchema('new', newProjectSchema, tools.examples),
  outputSchema('add', addedBlockSchema, tools.blocks),
  outputSchema('preview', tools.preview),
  outputSchema('setup', setUpReportSchema, tools.setUpRemoval),
  eventSchema('setup', tools.setUpEvents),
  outputSchema('snapshot', snapshotReportSchema),
  eventSchema('snapshot', renders.snapshotEvents),
  outputSchema('thumbnail', thumbnailReportSchema),
  outputSchema('variables', projectDescriptionSchema),
  outputSchema('lint', checks.lintReport),
  outputSchema('check', checkReportSchema),
  outputSchema('sounds', soundsReportSchema),
  outputSchema('fonts', fontListSchema),
  outputSchema('fonts add', fontAdditionSchema),
  outputSchema('doctor', diagnosisSchema),
  outputSchema('auth login', hosted.authLogin),
  eventSchema('auth login', hosted.signInEvents),
  outputSchema('auth status', hosted.authStatus),
  outputSchema('auth refresh', hosted.authRefresh),
  outputSchema('auth logout', hosted.authLogout),
  outputSchema('cloud render', hosted.cloudRender, hosted.cloudOrdered, hosted.cloudPlan),
  eventSchema('cloud render', hosted.cloudEvents),
  outputSchema('cloud list', hosted.cloudPage),
  outputSchema('cloud get', hosted.cloudRecord, hosted.cloudDownload),
  eventSchema('cloud get', hosted.cloudEvents),
  outputSchema('cloud delete', hosted.cloudDelete),
  outputSchema('serve', hosted.serveStarted),
  outputSchema('serve account add', hosted.serveAccount),
  outputSchema('serve account list', hosted.serveAccounts),
  outputSchema('serve account suspend', hosted.serveSuspended),
  outputSchema('serve account resume', hosted.serveSuspended),
  outputSchema('serve account hosts', hosted.serveHosts),
  outputSchema('serve account password', hosted.servePassword),
  outputSchema('serve account export', hosted.serveExport),
  outputSchema('serve account delete', hosted.serveDeleted),
  outputSchema('serve key add', hosted.serveKey),
  outputSchema('serve key list', hosted.serveKeys),
  outputSchema('serve key revoke', hosted.serveRevoked, hosted.serveAllRevoked),
  outputSchema('serve signing-keys rotate', hosted.serveRotated),
  outputSchema('serve credits', hosted.serveAccount),
  outputSchema('serve webhooks', hosted.serveWebhooks, hosted.serveRedelivered),
  outputSchema('serve backup', hosted.serveBackup),
  outputSchema('serve restore', hosted.serveRestored),
  outputSchema('chunks plan', plannedJobSchema),
  eventSchema('chunks plan', renders.renderEvents),
  outputSchema('chunks render', renderedChunkSchema),
  outputSchema('chunks join', joinedJobSchema),
  outputSchema('chunks status', jobStatusSchema),
  outputSchema('serverless deploy', stack.deployed),
  outputSchema('serverless destroy', stack.destroyed),
  outputSchema('serverless quotas', stack.quotas),
  outputSchema('serverless policies', stack.policyCheck),
  outputSchema('serverless webhook-secret', stack.signingSecret),
  outputSchema('serverless sites create', siteSchema),
  eventSchema('serverless sites create', stack.siteEvents),
  outputSchema('serverless sites list', stack.sites),
  outputSchema('serverless sites delete', stack.siteDeleted),
  outputSchema('serverless render', stack.started, stack.waited, stack.estimate),
  eventSchema('serverless render', stack.renderEvents),
  outputSchema('serverless progress', renderProgressSchema, stack.waited),
  eventSchema('serverless progress', stack.progressEvents),
  outputSchema('serverless list', stack.renders),
  outputSchema('serverless cancel', stack.cancelled),
  outputSchema('serverless resume', renderHandleSchema, stack.waited),
  eventSchema('serverless resume', stack.resumeEvents),
  outputSchema('serverless render-batch', stack.entries),
  eventSchema('serverless render-batch', stack.batchEvents),
  file('manifest', 'manifest.json: the status of every row of a batch', manifestFileSchema),
  file('configuration', 'framework.json: settings of a project', checks.configuration),
  file('rows', 'The rows of a batch, as JSON', renders.rows),
];

/** One JSON Schema, draft 7, with a title. */
export function jsonSchemaOf({ title, schema }: SchemaRow): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override: withoutSafe,
  });
  return { $schema, title, ...rest };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Leaves out the limits of safe integers, which zod adds to every whole number. */
const withoutSafe: Override = ({ jsonSchema }) => {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
};
