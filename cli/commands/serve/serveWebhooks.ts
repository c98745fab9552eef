// `framework serve webhooks`: what became of webhooks, attempt by attempt, out of the service's database.
import { UserError } from '../errors.ts';
import { openDatabase } from '../service/database.ts';
import type { Database, WebhookAttemptRow, WebhookDeliveryRow } from '../service/tables.ts';
import { type DeliveryWithAttempts, listDeliveries, redeliver } from '../service/webhookDeliveries.ts';
import { countText } from './amounts.ts';
import { type Colors, colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { readStore } from './serveSettings.ts';

/** Works whether the service runs or not. Throws UserError. */
export async function runServeWebhooks(input: CommandInput, io: CliIo): Promise<number> {
  const database = await openDatabase(readStore(input, io.env));
  const id = input.values.get('redeliver');
  const run = id === undefined ? list(database, input, io) : again(database, id, input, io);
  await run.finally(() => database.destroy());
  return 0;
}

async function list(database: Database, { values, switches }: CommandInput, io: CliIo): Promise<void> {
  const found = await listDeliveries(database, {
    render: values.get('render'),
    status: values.get('status') as WebhookDeliveryRow['status'] | undefined,
    limit: Number(values.get('limit') ?? 20),
  });
  if (switches.has('json')) io.stdout.write(`${JSON.stringify({ data: found.map(deliveryJson) })}\n`);
  else io.stdout.write(deliveriesText(found, colorsFor(io.stdout, io.env)));
}

async function again(database: Database, id: string, { switches }: CommandInput, io: CliIo): Promise<void> {
  if (!(await redeliver(database, id, Date.now()))) {
    throw new UserError('usage', `there is no webhook ${id}`, {
      hint: 'framework serve webhooks lists them. It looks into the folder that --data names, or DATABASE_URL.',
    });
  }
  if (switches.has('json')) io.stdout.write(`${JSON.stringify({ id, status: 'pending' })}\n`);
  else io.stdout.write(`${id} is due: a running service sends it at once, any other when it starts.\n`);
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
  if (found.length === 0) return 'There are no webhooks.\n';
  const marks = { delivered: colors.green('✔'), pending: colors.yellow('…'), failed: colors.red('✖') };
  return found
    .map(({ delivery, attempts }) => {
      const { id, type, render_id, status, url, next_attempt_at } = delivery;
      const next = next_attempt_at === null ? '' : `, the next at ${timeText(next_attempt_at)}`;
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

/** Queries hold tokens, which are nobody's business but the receiver's. */
function shownUrl(text: string): string {
  if (!URL.canParse(text)) return '';
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
