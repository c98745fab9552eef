// `framework cloud list`: a page of the account's renders, or all of them.
import type { Page, RenderRecord } from '../cloud/apiTypes.ts';
import { allCloudRenders, listCloudRenders } from '../cloud/renders.ts';
import { recordTable } from './cloudText.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { serviceClient } from './serviceClient.ts';

/** Throws UserError; the status is 0 otherwise. `--json` prints what the API answers; with `--all` as one page. */
export async function runCloudList({ values, switches }: CommandInput, io: CliIo): Promise<number> {
  const limit = values.has('limit') ? Number(values.get('limit')) : undefined;
  const options = { limit, token: values.get('token'), signal: io.signal };
  const client = serviceClient(io);
  const page = switches.has('all')
    ? { data: await everything(allCloudRenders(client, options)), has_more: false, next_token: null }
    : await listCloudRenders(client, options);
  if (switches.has('json')) io.stdout.write(`${JSON.stringify(page)}\n`);
  else io.stdout.write(listText(page));
  if (!switches.has('json') && page.has_more && page.next_token) {
    const colors = colorsFor(io.stderr, io.env);
    io.stderr.write(colors.dim(`More: framework cloud list --token ${page.next_token}\n`));
  }
  return 0;
}

const listText = ({ data }: Page<RenderRecord>): string => (data.length === 0 ? 'No renders.\n' : recordTable(data));

async function everything<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
