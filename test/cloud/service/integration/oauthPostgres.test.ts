// Signing in with two instances of the service on one PostgreSQL database: codes and tokens can be used once across
// both.
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasPostgres, newDatabase } from '../../../support/servers/sharedPostgres.ts';
import { createProgram, type Program, redirectUri } from '../../../support/service/oauthProgram.ts';
import { createBrowser, startWebService, type WebService } from '../../../support/service/webService.ts';

describe.skipIf(!hasPostgres())('two instances on PostgreSQL', () => {
  async function instances(): Promise<{ program: Program; urls: string[]; second: WebService }> {
    const databaseUrl = newDatabase();
    const first = await startWebService({ databaseUrl });
    const second = await startWebService({ databaseUrl, publicUrl: first.url });
    onTestFinished(() => second.close());
    onTestFinished(() => first.close());
    return { program: await createProgram(first), urls: [first.url, second.url, first.url, second.url], second };
  }

  /** The responses of instances that get the same request at the same time. */
  async function ask(urls: string[], fields: Record<string, string>): Promise<Record<string, string>[]> {
    const body = new URLSearchParams({ client_id: 'framework-cli', ...fields });
    return Promise.all(
      urls.map(async (url) => {
        const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
        return (await response.json()) as Record<string, string>;
      }),
    );
  }

  test('accept a code at one of them, and revoke its tokens after the second use', async () => {
    const { program, urls, second } = await instances();
    const request = await program.begin();
    const code = (await program.answer(request)).searchParams.get('code') ?? '';
    const answers = await ask(urls, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: request.verifier,
    });
    const won = answers.filter((answer) => answer.access_token !== undefined);
    expect(won).toHaveLength(1);
    for (const service of [program.service, second]) {
      expect(await service.accountOf(won[0]?.access_token ?? '')).toBeUndefined();
    }
  });

  test('accept a refresh token at one of them, and revoke all its tokens after the second use', async () => {
    const { program, urls, second } = await instances();
    const tokens = await program.signIn();
    expect(await second.accountOf(tokens.access_token)).toBe(program.accountId);
    const answers = await ask(urls, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' });
    const won = answers.filter((answer) => answer.access_token !== undefined);
    expect(won).toHaveLength(1);
    for (const token of [tokens.access_token, won[0]?.access_token ?? '']) {
      expect(await second.accountOf(token)).toBeUndefined();
    }
    const again = await ask([...urls], { grant_type: 'refresh_token', refresh_token: won[0]?.refresh_token ?? '' });
    expect(again.map(({ error }) => error)).toEqual(Array(4).fill('invalid_grant'));
  });

  test('complete a device sign-in that was started at the other', async () => {
    const { program, second } = await instances();
    const device = await program.beginDevice();
    const browser = createBrowser(program.service.url);
    await browser.signIn(program.email);
    const confirm = await browser.submit(await browser.get('/device'), { user_code: device.user_code });
    await browser.submit(confirm, { answer: 'allow' });
    const answer = await fetch(`${second.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'framework-cli',
        device_code: device.device_code,
      }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    expect(await program.service.accountOf(token)).toBe(program.accountId);
  });
});
