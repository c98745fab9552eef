// Backups of a service with SQLite.
import { backupTests } from '../../../support/backupTests.ts';

backupTests('sqlite', () => undefined);
