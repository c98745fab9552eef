// Device codes: looking up the code that a user typed in, and approving or denying the request.
import type { AdapterPayload } from 'oidc-provider';
import type { ServiceContext } from '../context.ts';
import type { OauthRecordRow } from '../storage/tables.ts';

export type DeviceRequest = {
  /** Formatted as on the device. */
  userCode: string;
  /** The requested scope. */
  scope: string;
  record: OauthRecordRow;
};

/** Returns undefined if the code is unknown, expired or already decided. */
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

/** Returns false if the request was decided meanwhile. */
export async function approveDevice(
  context: ServiceContext,
  device: DeviceRequest,
  grant: { accountId: string; grantId: string; scope: string },
): Promise<boolean> {
  const authTime = Math.floor(context.now() / 1000);
  return decide(context, device, { ...grant, authTime }, grant.grantId);
}

export async function denyDevice(context: ServiceContext, device: DeviceRequest): Promise<boolean> {
  const error = { error: 'access_denied', errorDescription: 'The user denied access.' };
  return decide(context, device, error, null);
}

async function decide(
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
