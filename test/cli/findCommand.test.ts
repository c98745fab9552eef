// Finding commands with names of several words, help of groups, and unknown names.
import { expect, test } from 'vitest';
import type { CommandSpec } from '../../cli/command.ts';
import { findCommand } from '../../cli/findCommand.ts';
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
].map((name): CommandSpec => ({ name, summary: '', options: [], examples: [], run: async () => 0 }));

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

test('finds the longest matching name', () => {
  expect(found('render', 'a')).toBe('render | a');
  expect(found('auth', 'login', '--device')).toBe('auth login | --device');
  expect(found('serve', '--port', '1')).toBe('serve | --port 1');
  expect(found('serve', 'webhooks', 'x')).toBe('serve webhooks | x');
  expect(found('sites', 'list', 'all')).toBe('sites list all |');
});

test('finds a group without a subcommand or with --help', () => {
  expect(found('auth')).toBe('group: auth |');
  expect(found('auth', '--help')).toBe('group: auth | --help');
  expect(found('sites', 'list', '-h')).toBe('group: sites list | -h');
  expect(found('serve', 'key', '--help')).toBe('group: serve key | --help');
});

test('suggests the nearest name for an unknown one', () => {
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
  expect(found('auth', '--json')).toBe(
    'unknown option --json. Options come after the command. See framework auth login --help',
  );
});

test('prints the help of a group', async () => {
  const { status, stdout } = await cli(['auth']);
  expect(status).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: framework auth <command> [options]

    Commands:
      auth login    Sign in to the hosted service, by default in the browser
      auth status   Show the signed-in user, the credential and the remaining credits
      auth refresh  Refresh the access tokens now, for example before a long job
      auth logout   Sign out: revoke the tokens and delete the stored credential

    Options:
      -h, --help     Show help
      -v, --version  Show the version

    Run framework auth <command> --help for the options of a command.
    "
  `);
  expect((await cli(['auth', '--help'])).stdout).toBe(stdout);
  expect((await cli(['help', 'auth'])).stdout).toBe(stdout);
});

test('lists the subcommands in the help of a command', async () => {
  const { stdout } = await cli(['serve', '--help']);
  expect(stdout).toMatch(/\n {6}--port <n> /);
  expect(stdout).toMatch(/\nSubcommands:\n {2}serve account add {2,}Create an account/);
});

test('prints the help of a command with two words', async () => {
  const { stdout } = await cli(['auth', 'login', '--help']);
  expect(stdout).toMatchInlineSnapshot(`
    "Sign in to the hosted service, by default in the browser.

    Usage: framework auth login [options]

    Options:
          --device           Sign in on another device with a code
          --api-key          Store an API key, from a hidden prompt or stdin
          --no-browser       Print the address of the sign-in page without opening a browser
          --progress <mode>  Sign-in address and code on stderr: auto or ndjson (default: auto)
          --json             Print one JSON document to stdout: the result, or the error
      -h, --help             Show help
      -v, --version          Show the version

    Examples:
      framework auth login
      framework auth login --device
      framework auth login --api-key < key.txt
    "
  `);
  expect((await cli(['help', 'auth', 'login'])).stdout).toBe(stdout);
});
