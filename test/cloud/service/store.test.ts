// The service's data in SQLite.

import { testService } from '../../support/service.ts';
import { storeTests } from '../../support/serviceStore.ts';

// SQLite is used by one process, so the other instance is the same one.
storeTests(
  () => testService(),
  async (service) => service,
);
