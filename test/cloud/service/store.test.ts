// The service's data in SQLite.

import { testQuotas, testService } from '../../support/service/service.ts';
import { quotaTests } from '../../support/service/serviceQuotas.ts';
import { storeTests } from '../../support/service/serviceStore.ts';

// SQLite is used by one process, so the other instance is the same one.
storeTests(
  () => testService(),
  async (service) => service,
);
quotaTests(
  ({ freeBytes, quotas, ...given }) =>
    testService(
      { ...given, quotas: { ...testQuotas, ...quotas } },
      { ...(freeBytes && { freeBytes }), start: Date.now() },
    ),
  async (service) => service,
);
