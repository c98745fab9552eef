// What the service keeps, in SQLite.

import { testService } from '../support/service.ts';
import { storeTests } from '../support/serviceStore.ts';

// One process serves from a file: another instance is this one.
storeTests(
  () => testService(),
  async (service) => service,
);
