// Webhooks: what is to be told to whom when a render ends, and telling it until it is heard.
import type { ServiceContext, ServicePart } from './context.ts';
import type { RenderRow, Session } from './tables.ts';

/** To be called in the transaction that ends the render: does nothing when nobody asked to be called back. */
export async function enqueueWebhook(_session: Session, _render: RenderRow, _now: number): Promise<void> {}

export async function startWebhooks(_context: ServiceContext): Promise<ServicePart> {
  return { wake: () => {}, close: async () => {} };
}
