import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, vi } from 'vitest';
import { composition } from '../support/project.ts';
import { needPrograms } from '../support/systemPrograms.ts';
import { accept, type Check, framework, type Place } from './acceptance.ts';
import { credentials, credentialsPath, hostedService, readCredentials, setEnv, withoutKey } from './hosted.ts';
import { packedCli } from './packedCli.ts';

const service = hostedService(['--workers', '0']);
const { signIn } = service;
const wrong = 'fk_0123456789abcdef0123456789abcdef';
const files = { 'index.html': composition('', { duration: 0.2 }) };
const signedOut = [/You are not signed in/];

/** `<key>` is the key of the account. */
const keepKey: Check = ({ env, kept }) => void kept.set('key', env.SERVICE_API_KEY ?? '');

/** `<access>` and `<refresh>` are the stored tokens. */
const keepTokens: Check = (place) => {
  const { oauth } = readCredentials(place);
  place.kept.set('access', String(oauth?.access_token));
  place.kept.set('refresh', String(oauth?.refresh_token));
};

const stores = (content: unknown): Check => {
  return (place) => expect(readCredentials(place)).toMatchObject(content as object);
};

const noFile: Check = (place) => expect(existsSync(credentialsPath(place))).toBe(false);

const modes: Check = (place) => {
  const path = credentialsPath(place);
  const found = [dirname(path), path].map((each) => (statSync(each).mode & 0o777).toString(8));
  expect(found).toEqual(['700', '600']);
};

/** The service gets these requests during a command. */
const requests = (route: string, wanted: string[], argv: string[], status = 0): Check => {
  return async (place) => {
    const before = service.program().requests(route).length;
    expect(await framework(argv, place)).toMatchObject({ status });
    expect(service.program().requests(route).slice(before)).toEqual(wanted);
  };
};

/** Runs `auth login --api-key` on a terminal, and types the key when it is asked for. */
const typeKey: Check = async (place) => {
  needPrograms(place.context, 'script');
  const command = `stty cols 80; '${process.execPath}' '${packedCli}' auth login --api-key`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, ...place.env } });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let shown = '';
  child.stdout.on('data', (data) => {
    shown += data;
  });
  await vi.waitFor(() => expect(shown).toContain('API key (hidden)'), { timeout: 30_000 });
  const key = place.kept.get('key') ?? '';
  child.stdin.write(`${key}\r`);
  expect(await ended).toBe(0);
  expect(shown).toContain('Signed in as ann@example.com');
  expect(shown).not.toContain(key);
};

/** The address of the sign-in page asks for a code with PKCE, and names a port of this machine. */
const opensOauthPage: Check = ({ env, kept }) => {
  const { origin, searchParams } = new URL(kept.get('opened') ?? '');
  expect(origin).toBe(env.SERVICE_API_URL);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: 'framework-cli',
    response_type: 'code',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  });
};

/** Replaces the access token by one that the service does not know. */
const spoilToken: Check = (place) => {
  const stored = readCredentials(place);
  credentials({ ...stored, oauth: { ...stored.oauth, access_token: 'expired' } })(place);
};

const api = '/v3/framework/renders';
const refused = `GET ${api} 401`;
const answered = `GET ${api} 200`;

// The contract: Authentication, and the auth commands.
accept(
  [
    {
      sentence: 'Hosted cloud rendering and the cloud subcommands need a credential',
      files,
      steps: [
        withoutKey,
        { run: 'cloud render', exit: 1, prints: signedOut },
        { run: 'cloud list', exit: 1, prints: signedOut },
        { run: 'cloud get rnd_1', exit: 1, prints: signedOut },
        { run: 'cloud delete rnd_1 --no-confirm', exit: 1, prints: signedOut },
      ],
    },
    {
      sentence:
        'Credential resolution, first match wins: SERVICE_API_KEY, FRAMEWORK_API_KEY (alias), the file ~/.service/credentials',
      steps: [
        keepKey,
        credentials({ api_key: wrong }),
        setEnv({ FRAMEWORK_API_KEY: wrong }),
        { run: 'auth status --json', json: { signedIn: true, source: { name: 'SERVICE_API_KEY' } } },
        (place) => setEnv({ SERVICE_API_KEY: '', FRAMEWORK_API_KEY: place.kept.get('key') ?? '' })(place),
        { run: 'auth status --json', json: { signedIn: true, source: { name: 'FRAMEWORK_API_KEY' } } },
        setEnv({ SERVICE_API_KEY: wrong }),
        { run: 'auth status --json', exit: 1, json: { signedIn: false, source: { name: 'SERVICE_API_KEY' } } },
        credentials({ api_key: '<key>' }),
        withoutKey,
        { run: 'auth status --json', json: { signedIn: true, source: { kind: 'file' } } },
      ],
    },
    {
      sentence:
        'auth login with no option: OAuth 2.0 with PKCE through the browser; the token is captured on a loopback port',
      steps: [
        signIn,
        opensOauthPage,
        stores({ oauth: { access_token: expect.any(String), refresh_token: expect.any(String) } }),
      ],
    },
    {
      sentence: 'auth login --api-key reads a long-lived API key from a hidden-input prompt',
      steps: [keepKey, withoutKey, typeKey, { run: 'auth status --json', json: { kind: 'api_key' } }],
    },
    {
      sentence:
        'auth login --api-key reads the key from standard input when piped, and writes it to the credentials file',
      steps: [
        keepKey,
        withoutKey,
        signInWithKey('<key>', 0),
        (place) => stores({ api_key: place.kept.get('key') })(place),
        { run: 'cloud list', prints: [/./] },
        signInWithKey(wrong, 1),
        (place) => stores({ api_key: place.kept.get('key') })(place),
      ],
    },
    {
      sentence: 'auth status shows source, identity and billing snapshot of the active credential',
      steps: [
        { run: 'auth status', prints: ['SERVICE_API_KEY', 'Signed in as ann@example.com', 'Credits     600 left'] },
        {
          run: 'auth status --json',
          json: {
            source: { kind: 'environment', name: 'SERVICE_API_KEY' },
            user: { email: 'ann@example.com' },
            billing: { plan: 'standard', credits_remaining: 600, resets_at: null },
          },
        },
      ],
    },
    {
      sentence: 'auth refresh force-refreshes an OAuth token before a long job',
      steps: [
        signIn,
        keepTokens,
        { run: 'auth refresh', prints: ['Tokens refreshed'] },
        (place) => {
          const { oauth } = readCredentials(place);
          expect(oauth?.access_token).not.toBe(place.kept.get('access'));
          expect(oauth?.refresh_token).not.toBe(place.kept.get('refresh'));
        },
        requests(api, [answered], ['cloud', 'list']),
      ],
    },
    {
      sentence: 'auth logout clears the stored credential',
      steps: [
        signIn,
        { run: 'auth logout', prints: ['Signed out.'] },
        noFile,
        { run: 'auth status', exit: 1, prints: signedOut },
      ],
    },
    {
      sentence: 'On a 401 response the CLI refreshes the OAuth token once and replays the request',
      files,
      steps: [
        signIn,
        spoilToken,
        requests(api, [refused, answered], ['cloud', 'list']),
        spoilToken,
        requests('/v3/assets', ['POST /v3/assets 401', 'POST /v3/assets 200'], ['cloud', 'render', '--no-wait']),
        credentials({ oauth: { access_token: 'expired', refresh_token: 'expired' } }),
        requests(api, [refused], ['cloud', 'list'], 1),
      ],
    },
    {
      sentence: 'The same credential is shared with the sibling command-line tool of the hosted service',
      steps: [
        keepKey,
        withoutKey,
        credentials({ api_key: '<key>', sibling: { theme: 'dark' } }),
        { run: 'cloud list --json', json: { has_more: false } },
        { run: 'auth logout' },
        (place) => expect(readCredentials(place)).toEqual({ sibling: { theme: 'dark' } }),
      ],
    },
  ],
  service.env,
);

// The decisions: the credentials file.
accept(
  [
    {
      sentence: 'The credentials file is JSON with "api_key", or "oauth" and its fields, and "user"',
      steps: [
        signIn,
        (place) =>
          expect(readCredentials(place)).toEqual({
            oauth: {
              access_token: expect.any(String),
              refresh_token: expect.any(String),
              expires_at: expect.any(Number),
              scope: 'renders',
              token_type: expect.stringMatching(/^bearer$/i),
            },
            user: { user_id: expect.any(String), email: 'ann@example.com', name: null },
          }),
      ],
    },
    {
      sentence: 'The folder of the credentials file has mode 0700 and the file 0600',
      steps: [keepKey, withoutKey, signInWithKey('<key>', 0), modes],
    },
    {
      sentence: 'A credentials file that other users can read is an error, with the command that restricts it',
      steps: [
        keepKey,
        withoutKey,
        credentials({ api_key: '<key>' }),
        { run: 'auth status' },
        (place) => chmodSync(credentialsPath(place), 0o644),
        { run: 'auth status', exit: 1, prints: [/Other users can access .*\(mode 644\)/, /Run: chmod 600 /] },
      ],
    },
    {
      sentence: 'The credentials file is replaced atomically',
      steps: [
        keepKey,
        withoutKey,
        credentials({ api_key: wrong }),
        keepInode,
        signInWithKey('<key>', 0),
        (place) => {
          expect(inode(place)).not.toBe(place.kept.get('inode'));
          expect(readdirSync(dirname(credentialsPath(place)))).toEqual(['credentials']);
        },
      ],
    },
    {
      sentence: 'Unknown keys of the credentials file are kept, because the sibling tool shares the file',
      steps: [
        keepKey,
        withoutKey,
        credentials({ sibling: { theme: 'dark' } }),
        signInWithKey('<key>', 0),
        stores({ sibling: { theme: 'dark' }, user: { email: 'ann@example.com' } }),
      ],
    },
    {
      sentence: 'A credentials file that is not valid is an error, never silently replaced',
      steps: [
        keepKey,
        withoutKey,
        credentials('{"api_key": '),
        { run: 'cloud list', exit: 1, prints: [/credentials is not valid JSON/] },
        signInWithKey('<key>', 1),
        (place) => expect(() => readCredentials(place)).toThrow('Unexpected end of JSON input'),
        credentials({ api_key: 7 }),
        { run: 'auth status', exit: 1, prints: ['api_key must be a string'] },
      ],
    },
  ],
  service.env,
);

function signInWithKey(key: string, status: number): Check {
  return async (place) => {
    const input = key === '<key>' ? (place.kept.get('key') ?? '') : key;
    expect(await framework(['auth', 'login', '--api-key'], place, `${input}\n`)).toMatchObject({ status });
  };
}

function inode(place: Place): string {
  return String(statSync(credentialsPath(place)).ino);
}

function keepInode(place: Place): void {
  place.kept.set('inode', inode(place));
}
