// `framework serve webhooks`: lists webhook deliveries with their attempts from the service's database, or redelivers one.
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import type { Database, WebhookAttemptRow, WebhookDeliveryRow } from '../../../cloud/service/storage/tables.ts';
import {
  type DeliveryWithAttempts,
  listDeliveries,
  redeliver,
} from '../../../cloud/service/webhooks/webhookDeliveries.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { type Colors, colorsFor } from '../../output/colors.ts';
import { countText } from '../../output/format.ts';
import { readStore } from './serveSettings.ts';

/** Works whether the service is running or not. Throws UserError. */
export async function runServeWebhooks(input: CommandInput, io: CliIo): Promise<number> {
  const database = await openDatabase(readStore(input, io.env));
  const id = input.values.get('redeliver');
  const run = id === undefined ? list(database, input, io) : requeue(database, id, input, io);
  await run.finally(() => database.destroy());
  return 0;
}

async function list(database: Database, { values, flags }: CommandInput, io: CliIo): Promise<void> {
  const found = await listDeliveries(database, {
    render: values.get('render'),
    status: values.get('status') as WebhookDeliveryRow['status'] | undefined,
    limit: Number(values.get('limit') ?? 20),
  });
  if (flags.has('json')) io.stdout.write(`${JSON.stringify({ data: found.map(deliveryJson) })}\n`);
  else io.stdout.write(deliveriesText(found, colorsFor(io.stdout, io.env)));
}

async function requeue(database: Database, id: string, { flags }: CommandInput, io: CliIo): Promise<void> {
  if (!(await redeliver(database, id, Date.now()))) {
    throw new UserError('usage', `there is no webhook delivery ${id}`, {
      hint: 'Run framework serve webhooks for the ids. It reads the database of --data or DATABASE_URL.',
    });
  }
  if (flags.has('json')) io.stdout.write(`${JSON.stringify({ id, status: 'pending' })}\n`);
  else io.stdout.write(`${id} is queued: the service sends it now, or when it starts.\n`);
}

function deliveryJson({ delivery, attempts }: DeliveryWithAttempts) {
  const { id, render_id, type, status, url, created_at, next_attempt_at } = delivery;
  const time = (at: number | null) => at && new Date(at).toISOString();
  return {
    id,
    render_id,
    type,
    status,
    url: shownUrl(url),
    created_at: time(created_at),
    next_attempt_at: time(next_attempt_at),
    attempts: attempts.map(({ at, status_code, error, duration_ms }) => ({
      at: time(at),
      status_code,
      error,
      duration_ms,
    })),
  };
}

export function deliveriesText(found: readonly DeliveryWithAttempts[], colors: Colors): string {
  if (found.length === 0) return 'No webhook deliveries.\n';
  const marks = { delivered: colors.green('✔'), pending: colors.yellow('…'), failed: colors.red('✖') };
  return found
    .map(({ delivery, attempts }) => {
      const { id, type, render_id, status, url, next_attempt_at } = delivery;
      const next = next_attempt_at === null ? '' : `, next attempt at ${timeText(next_attempt_at)}`;
      return [
        `${marks[status]} ${colors.bold(id)}  ${status}  ${type}  ${render_id}`,
        `    ${shownUrl(url)}`,
        ...attempts.map((attempt) => `    ${attemptText(attempt)}`),
        `    ${countText(attempts.length, 'attempt')}${next}`,
        '',
      ].join('\n');
    })
    .join('\n');
}

function attemptText({ at, status_code, error, duration_ms }: WebhookAttemptRow): string {
  const result = [status_code, error].filter((part) => part !== null).join(' ');
  return `${timeText(at)}  ${result}  ${duration_ms} ms`;
}

const timeText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** Removes the query, which may contain tokens of the receiver. */
function shownUrl(text: string): string {
  if (!URL.canParse(text)) return '';
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
