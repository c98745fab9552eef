// What pages with embedded files need.
import { mountFunction } from '../page.ts';
import type { MountConnection } from '../scope.ts';
import { observeHandlers } from './handlers.ts';
import { createHostValues } from './hostValues.ts';
import { createMountScopes } from './mountScopes.ts';

export function installMounts(window: Window & typeof globalThis, connection: MountConnection): void {
  connection.hostValues = createHostValues(window.document, connection.instances, connection.show);
  const scopes = createMountScopes(window, connection);
  observeHandlers(window, scopes);
  Object.defineProperty(window, mountFunction, { value: scopes.run });
}
