// An agent for tests: the official MCP client with a process of `framework mcp`.
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { cliFile } from './program.ts';

export type Answer = {
  isError: boolean;
  text: string;
  images: { data: Buffer; mimeType: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests check its content
  data: any;
};

export type Agent = {
  client: Client;
  pid: number;
  /** The server's standard error. */
  said(): string;
  call(name: string, input?: object, options?: Parameters<Client['callTool']>[2]): Promise<Answer>;
  close(): Promise<void>;
};

/** `folders`: arguments of the command, which may include options. `roots`: the client's roots. */
export async function startAgent(folders: string[], roots?: string[], cwd?: string): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliFile, 'mcp', ...folders],
    env: Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1])),
    stderr: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  });
  let said = '';
  transport.stderr?.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: roots ? { roots: {} } : {} });
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((path) => ({ uri: `file://${path}` })),
    }));
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? -1,
    said: () => said,
    async call(name, input = {}, options) {
      const result = await client.callTool({ name, arguments: { ...input } }, undefined, options);
      const content = result.content as { type: string; text?: string; data?: string; mimeType?: string }[];
      return {
        isError: result.isError === true,
        text: content.map(({ text = '' }) => text).join(''),
        images: content.flatMap(({ data, mimeType = '' }) =>
          data === undefined ? [] : [{ data: Buffer.from(data, 'base64'), mimeType }],
        ),
        data: result.structuredContent,
      };
    },
    close: () => client.close(),
  };
}

/** The browsers of a process's renders: processes with the folder of such a render in their command line. */
export function browsersOf(pid: number): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`framework-render-${pid}-`);
    } catch {
      return false;
    }
  });
}
