// Rows of the table of commands: `framework auth`: signing in to the hosted service.
import type { CommandSpec, OptionSpec } from './command.ts';

const json: OptionSpec = {
  name: 'json',
  summary: 'Print one JSON document on standard output: the result, or the error',
};

const login: CommandSpec = {
  name: 'auth login',
  summary: 'Sign in to the hosted service, in the browser unless told otherwise',
  positionals: [],
  options: [
    { name: 'device', summary: 'Sign in on another device: shows a code and where to type it' },
    { name: 'api-key', summary: 'Store an API key: asked for without showing it, or read from standard input' },
    { name: 'no-browser', summary: 'Show the address of the sign-in page and open nothing' },
    {
      name: 'progress',
      summary: 'Address and code on standard error: auto, for people, or ndjson (default: auto)',
      value: { label: 'how', choices: ['auto', 'ndjson'] },
    },
    json,
  ],
  examples: ['framework auth login', 'framework auth login --device', 'framework auth login --api-key < key.txt'],
  run: async (input, io) => (await import('./authLogin.ts')).runAuthLogin(input, io),
};

const status: CommandSpec = {
  name: 'auth status',
  summary: 'Show who is signed in, by which credential, and what is left to spend',
  positionals: [],
  options: [{ name: 'stored', summary: 'Say what is stored, without asking the service' }, json],
  examples: ['framework auth status', 'framework auth status --stored --json'],
  run: async (input, io) => (await import('./authStatus.ts')).runAuthStatus(input, io),
};

const refresh: CommandSpec = {
  name: 'auth refresh',
  summary: 'Exchange the tokens of the sign-in for new ones now, as before a long job',
  positionals: [],
  options: [json],
  examples: ['framework auth refresh'],
  run: async (input, io) => (await import('./authRefresh.ts')).runAuthRefresh(input, io),
};

const logout: CommandSpec = {
  name: 'auth logout',
  summary: 'Sign out: revoke the tokens at the service and forget the stored credential',
  positionals: [],
  options: [json],
  examples: ['framework auth logout'],
  run: async (input, io) => (await import('./authLogout.ts')).runAuthLogout(input, io),
};

export const authCommands: readonly CommandSpec[] = [login, status, refresh, logout];
