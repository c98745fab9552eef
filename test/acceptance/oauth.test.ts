// OAuth sign-in, by a third-party client library and a scripted browser.
import * as oauth from 'oauth4webapi';
import { expect } from 'vitest';
import { client, createProgram, type Program, type SignInService } from '../support/service/oauthProgram.ts';
import { accept, type Check } from './acceptance.ts';
import { hostedService, withoutKey } from './hosted.ts';
import { error } from './orders.ts';

const service = hostedService(['--workers', '0']);

type ServedTo = Program<SignInService>;

/** Runs a step in a program with an account of its own. */
const inProgram = (run: (program: ServedTo) => Promise<void>): Check => {
  return async () => run(await createProgram({ url: service.program().url, addAccount: service.addAccount }));
};

const me = (token: string): Promise<Response> =>
  fetch(`${service.program().url}/v3/users/me`, { headers: { authorization: `Bearer ${token}` } });

/** The error that the authorization page sends to the program, or shows in the browser. */
async function refusal({ begin, browser }: ServedTo, changes: Record<string, string | undefined>) {
  const { status, headers, text } = await browser.get((await begin(changes)).url.href);
  const location = headers.get('location');
  return location ? new URL(location).searchParams.get('error') : { status, isPage: text.includes('<html') };
}

accept(
  [
    {
      sentence: 'OAuth: Authorization: Bearer',
      steps: [
        (place) => inProgram(async (one) => void place.kept.set('access', (await one.signIn()).access_token))(place),
        withoutKey,
        {
          request: 'GET /v3/users/me',
          headers: { authorization: 'Bearer <access>' },
          json: { data: { email: 'ann1@example.com' } },
        },
        {
          request: 'GET /v3/users/me',
          headers: { authorization: 'Bearer none' },
          ...error('authentication_failed', 401),
        },
        { request: 'GET /v3/users/me', headers: { 'x-api-key': '<access>' }, ...error('authentication_failed', 401) },
      ],
    },
    {
      sentence:
        'OAuth metadata at /.well-known/oauth-authorization-server; /oauth/authorize, /oauth/token, /oauth/revoke, /oauth/device_authorization',
      steps: [
        async ({ env }) => {
          const url = env.SERVICE_API_URL ?? '';
          const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
          expect(metadata).toMatchObject({
            issuer: url,
            authorization_endpoint: `${url}/oauth/authorize`,
            token_endpoint: `${url}/oauth/token`,
            revocation_endpoint: `${url}/oauth/revoke`,
            device_authorization_endpoint: `${url}/oauth/device_authorization`,
          });
        },
        inProgram(async (one) => {
          const { access_token } = await one.signIn();
          expect((await me(access_token)).status).toBe(200);
          await one.revoke(access_token);
          expect((await me(access_token)).status).toBe(401);
        }),
        inProgram(async (one) => {
          const device = await one.beginDevice();
          expect(await one.pollDevice(device)).toBe('authorization_pending');
          const { browser } = one;
          await browser.signIn(one.email);
          const page = await browser.get(new URL(device.verification_uri).pathname);
          const confirm = await browser.submit(page, { user_code: device.user_code });
          await browser.submit(confirm, { answer: 'allow' });
          expect(await one.pollDevice(device)).toMatchObject({ access_token: expect.any(String) });
        }),
      ],
    },
    {
      sentence: 'Public client framework-cli',
      steps: [
        inProgram(async (one) => {
          expect(client).toEqual({ client_id: 'framework-cli' });
          expect(one.server.token_endpoint_auth_methods_supported).toEqual(['none']);
          expect(await one.signIn()).toMatchObject({ access_token: expect.any(String) });
          expect(await refusal(one, { client_id: 'another' })).toEqual({ status: 400, isPage: true });
        }),
      ],
    },
    {
      sentence: 'PKCE S256 only',
      steps: [
        inProgram(async (one) => {
          expect(one.server.code_challenge_methods_supported).toEqual(['S256']);
          expect(await refusal(one, { code_challenge_method: 'plain' })).toBe('invalid_request');
          const without = { code_challenge: undefined, code_challenge_method: undefined };
          expect(await refusal(one, without)).toBe('invalid_request');
          const request = await one.begin();
          const other = { ...request, verifier: oauth.generateRandomCodeVerifier() };
          const callback = await one.answer(request);
          await expect(one.redeem(other, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
        }),
      ],
    },
    {
      sentence: 'Loopback redirect on 127.0.0.1 with any port',
      steps: [
        inProgram(async (one) => {
          const redirect_uri = 'http://127.0.0.1:50999/callback';
          const callback = await one.answer(await one.begin({ redirect_uri }));
          expect(callback.href).toMatch(/^http:\/\/127\.0\.0\.1:50999\/callback\?code=/);
          for (const other of ['https://example.com/callback', 'http://192.168.0.1:50999/callback'])
            expect(await refusal(one, { redirect_uri: other })).toEqual({ status: 400, isPage: true });
        }),
      ],
    },
    {
      sentence: 'Rotated refresh tokens',
      steps: [
        inProgram(async (one) => {
          const first = await one.signIn();
          const second = await one.refresh(first.refresh_token);
          expect(second.refresh_token).not.toBe(first.refresh_token);
          expect((await me(second.access_token)).status).toBe(200);
          await expect(one.refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
          // A token that is used twice was copied, so its sign-in ends.
          expect((await me(second.access_token)).status).toBe(401);
        }),
      ],
    },
  ],
  service.env,
);
