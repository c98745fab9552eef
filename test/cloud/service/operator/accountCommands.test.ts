// What the operator does with accounts, in SQLite.

import { accountTests } from '../../../support/service/accountStore.ts';
import { testFolder, testService } from '../../../support/service/service.ts';

accountTests(
  async () => testService({ dataDir: await testFolder() }),
  ({ context: { settings } }) => testService({ dataDir: settings.dataDir }),
);
