// `framework serverless quotas`: shows the quotas of the account that limit renders, and requests more workers.
import { serviceQuotasClient } from '../../../serverless/aws.ts';
import { readQuotaRequest, readQuotas, requestConcurrency } from '../../../serverless/deploy/quotas.ts';
import type { QuotaRequest, Quotas } from '../../../serverless/renders/reports.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { openAccount } from './serverlessAccount.ts';

/** Returns 0; throws UserError. */
export async function runQuotas(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags } = input;
  const account = openAccount(input, io);
  const client = serviceQuotasClient(account.aws);
  const quotas = await readQuotas(account.lambda);
  const wanted = values.get('request');
  const made = wanted === undefined ? undefined : await requestConcurrency(client, Number(wanted), quotas);
  const { isAdjustable, request: last } = await readQuotaRequest(client);
  const request = made ?? last;
  if (flags.has('json')) io.stdout.write(`${JSON.stringify({ ...quotas, isAdjustable, request })}\n`);
  else io.stdout.write(quotasText(quotas, isAdjustable, request));
  return 0;
}

function quotasText(quotas: Quotas, isAdjustable: boolean, request: QuotaRequest | null): string {
  const { concurrency, unreserved, memoryMb } = quotas;
  const number = (value: number) => value.toLocaleString('en-US');
  const rows = [
    ['workers', `${number(concurrency)} at the same time, ${number(unreserved)} of them unreserved`],
    ['memory', `up to ${number(memoryMb)} MB for a worker (assumed; AWS does not report it)`],
    ...(request ? [['requested', requestText(request)]] : []),
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(11)}${value}`);
  const canRequest = isAdjustable && request === null;
  return `${[...lines, ...(canRequest ? ['To request more workers: framework serverless quotas --request 1000'] : [])].join('\n')}\n`;
}

const requestText = ({ concurrency, status, requestedAt }: QuotaRequest): string =>
  `${concurrency.toLocaleString('en-US')} workers${requestedAt === null ? '' : ` on ${requestedAt.slice(0, 10)}`}, ${status.toLowerCase().replaceAll('_', ' ')}`;
