// The `framework auth` commands: sign in to the hosted service.

import type { CommandSpec, OptionSpec } from '../../command.ts';
import { choice, flag } from '../../options/optionSpecs.ts';

const json: OptionSpec = flag('json', 'Print one JSON document to stdout: the result, or the error');

const login: CommandSpec = {
  name: 'auth login',
  summary: 'Sign in to the hosted service, by default in the browser',
  options: [
    flag('device', 'Sign in on another device with a code'),
    { name: 'api-key', summary: 'Store an API key, from a hidden prompt or stdin', readsSecret: true },
    flag('no-browser', 'Print the address of the sign-in page without opening a browser'),
    choice('progress', 'Sign-in address and code on stderr: auto or ndjson (default: auto)', 'mode', [
      'auto',
      'ndjson',
    ]),
    json,
  ],
  examples: ['framework auth login', 'framework auth login --device', 'framework auth login --api-key < key.txt'],
  run: async (input, io) => (await import('./authLogin.ts')).runAuthLogin(input, io),
};

const status: CommandSpec = {
  name: 'auth status',
  summary: 'Show the signed-in user, the credential and the remaining credits',
  options: [flag('stored', 'Show the stored credential without contacting the service'), json],
  examples: ['framework auth status', 'framework auth status --stored --json'],
  run: async (input, io) => (await import('./authStatus.ts')).runAuthStatus(input, io),
};

const refresh: CommandSpec = {
  name: 'auth refresh',
  summary: 'Refresh the access tokens now, for example before a long job',
  options: [json],
  examples: ['framework auth refresh'],
  run: async (input, io) => (await import('./authRefresh.ts')).runAuthRefresh(input, io),
};

const logout: CommandSpec = {
  name: 'auth logout',
  summary: 'Sign out: revoke the tokens and delete the stored credential',
  options: [json],
  examples: ['framework auth logout'],
  run: async (input, io) => (await import('./authLogout.ts')).runAuthLogout(input, io),
};

export const authCommands: readonly CommandSpec[] = [login, status, refresh, logout];
