// Names of one word or several: which command a line means, help of groups, and what is said about unknown names.
import { expect, test } from 'vitest';
import type { CommandSpec } from '../../renderer-core/cli/command.ts';
import { findCommand } from '../../renderer-core/cli/findCommand.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { cli } from './cli.ts';

const commands = [
  'render',
  'auth login',
  'auth logout',
  'serve',
  'serve webhooks',
  'serve key add',
  'sites create',
  'sites list all',
].map((name): CommandSpec => ({ name, summary: '', positionals: [], options: [], examples: [], run: async () => 0 }));

/** `command | rest`, `group: name | rest`, or the error with its hint. */
function found(...argv: string[]): string {
  try {
    const { command, group, rest } = findCommand(commands, argv);
    return `${command?.name ?? `group: ${group}`} | ${rest.join(' ')}`.trim();
  } catch (error) {
    if (error instanceof UserError) return `${error.message}. ${error.hint}`;
    throw error;
  }
}

test('the longest name that fits', () => {
  expect(found('render', 'a')).toBe('render | a');
  expect(found('auth', 'login', '--device')).toBe('auth login | --device');
  expect(found('serve', '--port', '1')).toBe('serve | --port 1');
  expect(found('serve', 'webhooks', 'x')).toBe('serve webhooks | x');
  expect(found('sites', 'list', 'all')).toBe('sites list all |');
});

test('a group alone, or with --help', () => {
  expect(found('auth')).toBe('group: auth |');
  expect(found('auth', '--help')).toBe('group: auth | --help');
  expect(found('sites', 'list', '-h')).toBe('group: sites list | -h');
  expect(found('serve', 'key', '--help')).toBe('group: serve key | --help');
});

test('unknown names', () => {
  expect(found('rendr')).toBe('unknown command "rendr". Did you mean "framework render"?');
  expect(found('authh', 'login')).toBe('unknown command "authh". Did you mean "framework auth"?');
  expect(found('auth', 'logn')).toBe('unknown command "auth logn". Did you mean "framework auth login"?');
  expect(found('login')).toBe('unknown command "login". Did you mean "framework auth login"?');
  expect(found('auth', 'whoami')).toBe(
    'unknown command "auth whoami". Commands: auth login, auth logout. See framework auth --help',
  );
  expect(found('serve', 'webhoks')).toBe('unknown command "serve webhoks". Did you mean "framework serve webhooks"?');
  expect(found('serve', 'stop')).toBe(
    'unknown command "serve stop". Commands: serve webhooks, serve key add. See framework serve --help',
  );
  expect(found('paint')).toBe('unknown command "paint". Commands: render, auth, serve, sites. See framework --help');
  expect(found('auth', '--json')).toBe('unknown option --json. Options follow a command: framework auth login --help');
});

test('help of a group, asked for in every way', async () => {
  const { status, stdout } = await cli(['auth']);
  expect(status).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: framework auth <command> [options]

    Commands:
      auth login    Sign in to the hosted service, in the browser unless told otherwise
      auth status   Show who is signed in, by which credential, and what is left to spend
      auth refresh  Exchange the tokens of the sign-in for new ones now, as before a long job
      auth logout   Sign out: revoke the tokens at the service and forget the stored credential

    Options:
      -h, --help     Show help
      -v, --version  Show the version

    framework auth <command> --help tells more about a command.
    "
  `);
  expect((await cli(['auth', '--help'])).stdout).toBe(stdout);
  expect((await cli(['help', 'auth'])).stdout).toBe(stdout);
});

test('help of a command that has others below it names them', async () => {
  const { stdout } = await cli(['serve', '--help']);
  expect(stdout).toMatch(/\n {6}--port <n> /);
  expect(stdout).toMatch(/\nBeside it:\n {2}serve account add {2,}Make an account/);
});

test('help of a command of two words', async () => {
  const { stdout } = await cli(['auth', 'login', '--help']);
  expect(stdout).toMatchInlineSnapshot(`
    "Sign in to the hosted service, in the browser unless told otherwise.

    Usage: framework auth login [options]

    Options:
          --device          Sign in on another device: shows a code and where to type it
          --api-key         Store an API key: asked for without showing it, or read from standard input
          --no-browser      Show the address of the sign-in page and open nothing
          --progress <how>  Address and code on standard error: auto, for people, or ndjson (default:
                            auto)
          --json            Print one JSON document on standard output: the result, or the error
      -h, --help            Show help
      -v, --version         Show the version

    Examples:
      framework auth login
      framework auth login --device
      framework auth login --api-key < key.txt
    "
  `);
  expect((await cli(['help', 'auth', 'login'])).stdout).toBe(stdout);
});
