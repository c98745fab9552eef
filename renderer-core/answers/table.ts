// The table of answers: what every command prints with --json and --progress=ndjson, and the files that it reads and writes.
// docs/schemas is made from it, and tests hold what commands print against that.
import { z } from 'zod';
import * as checks from './checks.ts';
import * as hosted from './hosted.ts';
import * as renders from './renders.ts';
import { failed } from './shared.ts';
import * as stack from './stack.ts';

/** `name` is that of the schema's file: a command with hyphens, `-events` for its progress. */
export type AnswerRow = { name: string; title: string; schema: z.ZodType };

const prints = (command: string, ...answers: z.ZodType[]): AnswerRow => ({
  name: command.replaceAll(' ', '-'),
  title: `framework ${command} --json`,
  schema: z.union([...answers, failed]),
});

const tells = (command: string, ...events: z.ZodType[]): AnswerRow => ({
  name: `${command.replaceAll(' ', '-')}-events`,
  title: `A line of framework ${command} --progress=ndjson`,
  schema: events.length === 1 && events[0] ? events[0] : z.union(events),
});

const file = (name: string, title: string, schema: z.ZodType): AnswerRow => ({ name, title, schema });

export const answers: readonly AnswerRow[] = [
  prints('render', renders.renderReport, renders.dryRun, renders.batchAnswer, renders.batchDryRun),
  tells('render', renders.renderEvents, renders.batchEvents),
  prints('snapshot', renders.snapshotReport),
  tells('snapshot', renders.snapshotEvents),
  prints('variables', checks.projectDescription),
  prints('lint', checks.lintReport),
  prints('doctor', checks.diagnosis),
  prints('auth login', hosted.authLogin),
  prints('auth status', hosted.authStatus),
  prints('auth refresh', hosted.authRefresh),
  prints('auth logout', hosted.authLogout),
  prints('cloud render', hosted.cloudRender, hosted.cloudOrdered, hosted.cloudPlan),
  tells('cloud render', hosted.cloudEvents),
  prints('cloud list', hosted.cloudPage),
  prints('cloud get', hosted.cloudRecord, hosted.cloudDownload),
  tells('cloud get', hosted.cloudEvents),
  prints('cloud delete', hosted.cloudDelete),
  prints('serve', hosted.serveStarted),
  prints('serve account add', hosted.serveAccount),
  prints('serve key add', hosted.serveKey),
  prints('serve key list', hosted.serveKeys),
  prints('serve key revoke', hosted.serveRevoked),
  prints('serve credits', hosted.serveAccount),
  prints('serve webhooks', hosted.serveWebhooks, hosted.serveRedelivered),
  prints('serverless deploy', stack.deployed),
  prints('serverless destroy', stack.destroyed),
  prints('serverless policies', stack.policyCheck),
  prints('serverless sites create', stack.site),
  tells('serverless sites create', stack.siteEvents),
  prints('serverless render', stack.started, stack.progress, stack.estimate),
  tells('serverless render', stack.renderEvents),
  prints('serverless progress', stack.progress),
  prints('serverless render-batch', stack.entries),
  tells('serverless render-batch', stack.batchEvents),
  file('manifest', 'manifest.json: the status of every row of a batch', renders.manifest),
  file('configuration', 'framework.json: settings of a project', checks.configuration),
  file('rows', 'The rows of a batch, as JSON', renders.rows),
];

/** One JSON Schema, draft 7, with a title. */
export function jsonSchemaOf({ title, schema }: AnswerRow): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override: withoutSafe,
  });
  return { $schema, title, ...rest };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** That whole numbers are safe integers goes without saying. */
const withoutSafe: Override = ({ jsonSchema }) => {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
};
