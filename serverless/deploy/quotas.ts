// The quotas of an AWS account and region that limit renders, and the settings of the stack that fit into them.
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetServiceQuotaCommand,
  ListRequestedServiceQuotaChangeHistoryByQuotaCommand,
  RequestServiceQuotaIncreaseCommand,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { UserError } from '../../renderer-core/errors.ts';
import { withAws } from '../awsErrors.ts';
import type { QuotaRequest, Quotas } from '../renders/reports.ts';
import { maxChunksAtOnce } from './stateMachine.ts';

/** The limit of an account that AWS has not restricted. */
const usualConcurrency = 1_000;
const usualMemoryMb = 10_240;

/** AWS restricts new accounts in both. There is no request for the quota of the memory. */
const restrictedMemoryMb = 3_008;

/** The best price: a page with its encoder uses about two processors, and this memory has 2.3 (docs/scale.md). */
export const bestMemoryMb = 4_096;

/** AWS rejects a reservation that would leave fewer workers to the other functions of the account. */
const minUnreserved = 10;

/** Throws UserError of AWS. */
export async function readQuotas(client: LambdaClient): Promise<Quotas> {
  const { AccountLimit = {} } = await withAws('Reading the quotas of the account', () =>
    client.send(new GetAccountSettingsCommand({})),
  );
  const { ConcurrentExecutions: concurrency = usualConcurrency } = AccountLimit;
  return {
    concurrency,
    unreserved: AccountLimit.UnreservedConcurrentExecutions ?? concurrency,
    memoryMb: concurrency < usualConcurrency ? restrictedMemoryMb : usualMemoryMb,
  };
}

const concurrencyQuota = { ServiceCode: 'lambda', QuotaCode: 'L-B99A9384' } as const;

/** Whether the concurrency can be increased on request, and the last request, if any. Throws UserError of AWS. */
export async function readQuotaRequest(
  client: ServiceQuotasClient,
): Promise<{ isAdjustable: boolean; request: QuotaRequest | null }> {
  return withAws('Reading the requested quotas', async () => {
    const [{ Quota }, { RequestedQuotas = [] }] = await Promise.all([
      client.send(new GetServiceQuotaCommand(concurrencyQuota)),
      client.send(new ListRequestedServiceQuotaChangeHistoryByQuotaCommand(concurrencyQuota)),
    ]);
    const [last] = RequestedQuotas.sort((a, b) => (b.Created?.getTime() ?? 0) - (a.Created?.getTime() ?? 0));
    const request = last && {
      concurrency: last.DesiredValue ?? 0,
      status: last.Status ?? 'PENDING',
      requestedAt: last.Created?.toISOString() ?? null,
    };
    return { isAdjustable: Quota?.Adjustable ?? false, request: request ?? null };
  });
}

/** Asks AWS for more concurrent workers, which takes minutes to days. Throws UserError `usage`, or of AWS. */
export async function requestConcurrency(
  client: ServiceQuotasClient,
  concurrency: number,
  { concurrency: current }: Quotas,
): Promise<QuotaRequest> {
  if (concurrency <= current) {
    throw new UserError('usage', `The account already has ${current} concurrent workers (requested: ${concurrency})`, {
      hint: 'Request a larger number.',
    });
  }
  const { RequestedQuota } = await withAws('Requesting the increase', () =>
    client.send(new RequestServiceQuotaIncreaseCommand({ ...concurrencyQuota, DesiredValue: concurrency })),
  );
  return {
    concurrency,
    status: RequestedQuota?.Status ?? 'PENDING',
    requestedAt: RequestedQuota?.Created?.toISOString() ?? null,
  };
}

/** `reserved`: workers that only the function may use; 0: none are reserved. */
export type StackSettings = { memoryMb: number; reserved: number; mapConcurrency: number };

/**
 * The settings of the stack: those given, else those deployed, else what suits the account. Throws UserError `usage` if AWS would
 * reject the reservation.
 */
export function stackSettings(
  given: { memory?: number | undefined; concurrency?: number | undefined },
  deployed: { memory?: number | undefined; concurrency?: number | undefined },
  quotas: Quotas,
): StackSettings {
  const memoryMb = given.memory ?? deployed.memory ?? Math.min(bestMemoryMb, quotas.memoryMb);
  const reserved = given.concurrency ?? deployed.concurrency ?? 0;
  const free = quotas.unreserved + (deployed.concurrency ?? 0);
  if (given.concurrency !== undefined && reserved > 0 && reserved > free - minUnreserved) {
    const most = Math.max(0, free - minUnreserved);
    throw new UserError(
      'usage',
      `--concurrency ${reserved} is not possible: the account has ${free} unreserved workers, of which ${minUnreserved} must remain unreserved`,
      {
        hint:
          most > 0
            ? `Use at most --concurrency ${most}, or request more with framework serverless quotas --request ${reserved + minUnreserved}.`
            : `Deploy without --concurrency, or request more workers with framework serverless quotas --request ${usualConcurrency}.`,
      },
    );
  }
  return { memoryMb, reserved, mapConcurrency: Math.max(1, Math.min(maxChunksAtOnce, reserved || free)) };
}

/** What the user should know about the settings before they are deployed. */
export function settingsWarnings({ memoryMb }: StackSettings, quotas: Quotas): string[] {
  const { concurrency } = quotas;
  return [
    ...(concurrency < usualConcurrency
      ? [
          `This account may run ${concurrency} workers at the same time (usual: ${usualConcurrency}). Renders wait for free workers. To request more: framework serverless quotas --request ${usualConcurrency}`,
        ]
      : []),
    ...(memoryMb > quotas.memoryMb
      ? [
          `Accounts with so few workers usually allow at most ${quotas.memoryMb} MB of memory (--memory ${quotas.memoryMb}).`,
        ]
      : []),
  ];
}
