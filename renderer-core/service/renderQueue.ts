// Renders that wait for a worker, fair among accounts, and the workers that take them.
import type { ServiceContext, ServicePart } from './context.ts';

export async function startRenderQueue(_context: ServiceContext, _webhooks: ServicePart): Promise<ServicePart> {
  return { wake: () => {}, close: async () => {} };
}
