// `framework cloud list`: lists one page of the account's renders, or all of them.
import { allCloudRenders, listCloudRenders } from '../../../cloud/client/accountRenders.ts';
import type { Page, RenderRecord } from '../../../cloud/client/apiTypes.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { serviceClient } from '../../serviceClient.ts';
import { recordTable } from './cloudText.ts';

/** `--json` prints the response of the API; with `--all`, all renders as one page. Returns 0; throws UserError. */
export async function runCloudList({ values, flags }: CommandInput, io: CliIo): Promise<number> {
  const limit = values.has('limit') ? Number(values.get('limit')) : undefined;
  const options = { limit, token: values.get('token'), signal: io.signal };
  const client = serviceClient(io);
  const page = flags.has('all')
    ? { data: await collect(allCloudRenders(client, options)), has_more: false, next_token: null }
    : await listCloudRenders(client, options);
  if (flags.has('json')) io.stdout.write(`${JSON.stringify(page)}\n`);
  else io.stdout.write(listText(page));
  if (!flags.has('json') && page.has_more && page.next_token) {
    const colors = colorsFor(io.stderr, io.env);
    io.stderr.write(colors.dim(`Next page: framework cloud list --token ${page.next_token}\n`));
  }
  return 0;
}

const listText = ({ data }: Page<RenderRecord>): string => (data.length === 0 ? 'No renders.\n' : recordTable(data));

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
