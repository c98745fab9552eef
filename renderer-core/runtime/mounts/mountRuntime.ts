// Entry point of the script that runs after the runtime in pages with embedded files.
import '../leaveNoElement.ts';
import { mountFunction } from '../page.ts';
import { type MountConnection, mountConnection } from '../scope.ts';
import { observeHandlers } from './handlers.ts';
import { createHostValues } from './hostValues.ts';
import { createMountScopes } from './mountScopes.ts';

const connection = (window as { [mountConnection]?: MountConnection })[mountConnection];
if (connection) {
  const page = window as Window & typeof globalThis;
  connection.hostValues = createHostValues(page.document, connection.instances, connection.show);
  const scopes = createMountScopes(page, connection);
  observeHandlers(page, scopes);
  Object.defineProperty(page, mountFunction, { value: scopes.run });
}
