// The codes that people type in from a device without a browser, and what they decide about them.
import type { AdapterPayload } from 'oidc-provider';
import type { ServiceContext } from './context.ts';
import type { OauthRecordRow } from './tables.ts';

export type DeviceRequest = {
  /** As the device shows it. */
  userCode: string;
  /** As it was asked for. */
  scope: string;
  record: OauthRecordRow;
};

/** Undefined for a code that is unknown, expired or already decided on. */
export async function findDevice(context: ServiceContext, typed: string): Promise<DeviceRequest | undefined> {
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (code === '' || code.length > 40) return undefined;
  const record = await context.database
    .selectFrom('oauth_records')
    .selectAll()
    .where('model', '=', 'DeviceCode')
    .where('user_code', '=', code)
    .where('expires_at', '>', context.now())
    .executeTakeFirst();
  if (record === undefined) return undefined;
  const { accountId, error, params } = JSON.parse(record.payload) as AdapterPayload;
  if (accountId !== undefined || error !== undefined) return undefined;
  const userCode = `${code.slice(0, 4)}-${code.slice(4)}`;
  return { userCode, scope: String(params?.scope ?? ''), record };
}

/** False when somebody else was faster. */
export async function approveDevice(
  context: ServiceContext,
  device: DeviceRequest,
  grant: { accountId: string; grantId: string; scope: string },
): Promise<boolean> {
  const authTime = Math.floor(context.now() / 1000);
  return change(context, device, { ...grant, authTime }, grant.grantId);
}

export async function denyDevice(context: ServiceContext, device: DeviceRequest): Promise<boolean> {
  const error = { error: 'access_denied', errorDescription: 'It was not allowed.' };
  return change(context, device, error, null);
}

async function change(
  { database }: ServiceContext,
  { record }: DeviceRequest,
  decision: Partial<AdapterPayload>,
  grantId: string | null,
): Promise<boolean> {
  const payload = { ...(JSON.parse(record.payload) as AdapterPayload), ...decision };
  const { numUpdatedRows } = await database
    .updateTable('oauth_records')
    .set({ payload: JSON.stringify(payload), grant_id: grantId })
    .where('model', '=', 'DeviceCode')
    .where('id', '=', record.id)
    .where('payload', '=', record.payload)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
