// The OAuth server: PKCE, device flow, rotated refresh tokens, revocation, metadata.
import type { Hono } from 'hono';
import type { ServiceContext } from './context.ts';

export type OauthServer = {
  /** `/.well-known/oauth-authorization-server`, `/oauth/*`. */
  mount(app: Hono): void;
  /** The account that an access token belongs to; undefined when it is not or no longer valid. */
  accountOf(accessToken: string): Promise<string | undefined>;
};

export async function createOauthServer(_context: ServiceContext): Promise<OauthServer> {
  return { mount: () => {}, accountOf: async () => undefined };
}
