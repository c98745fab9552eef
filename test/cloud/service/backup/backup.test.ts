// Backups of a service with SQLite.
import { backupTests } from '../../../support/backup/backupTests.ts';

backupTests('sqlite', () => undefined);
