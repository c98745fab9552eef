// A double of the quotas of an account: Lambda's account settings, and the requests of Service Quotas.
import { ServiceFault } from './stepFunctions.ts';

type Json = Record<string, unknown>;

export type QuotaDouble = {
  /** Concurrent workers of the account, and those that no function has reserved. Tests change them. */
  concurrency: number;
  unreserved: number;
  /** The requested numbers of workers. */
  requested: number[];
  /** `GetAccountSettings` of Lambda. */
  accountSettings(): Json;
  /** Runs an action of Service Quotas and returns the response. Throws `ServiceFault`. */
  call(action: string, body: Json): Json;
};

export function startQuotas(concurrency = 1_000): QuotaDouble {
  const requests: Json[] = [];
  const check = ({ ServiceCode, QuotaCode }: Json): void => {
    if (ServiceCode === 'lambda' && QuotaCode === 'L-B99A9384') return;
    throw new ServiceFault('NoSuchResourceException', `${ServiceCode} ${QuotaCode} is not here`);
  };
  const double: QuotaDouble = {
    ...{ concurrency, unreserved: concurrency, requested: [] },
    accountSettings: () => ({
      AccountLimit: {
        ConcurrentExecutions: double.concurrency,
        UnreservedConcurrentExecutions: double.unreserved,
        CodeSizeUnzipped: 262_144_000,
        CodeSizeZipped: 52_428_800,
        TotalCodeSize: 80_530_636_800,
      },
      AccountUsage: { FunctionCount: 0, TotalCodeSize: 0 },
    }),
    call(action, body) {
      check(body);
      if (action === 'GetServiceQuota') return { Quota: { ...body, Value: double.concurrency, Adjustable: true } };
      if (action === 'ListRequestedServiceQuotaChangeHistoryByQuota') return { RequestedQuotas: requests };
      if (action !== 'RequestServiceQuotaIncrease')
        throw new ServiceFault('UnknownOperationException', `${action} is not here`, 404);
      const request = { ...body, Status: 'PENDING', Created: 1_795_000_000 + requests.length };
      requests.push(request);
      double.requested.push(Number(body.DesiredValue));
      return { RequestedQuota: request };
    },
  };
  return double;
}
