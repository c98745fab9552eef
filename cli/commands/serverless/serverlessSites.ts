// `framework serverless sites`: uploads a project once for any number of renders, lists the uploaded projects, and deletes one.
import { UserError } from '../../../renderer-core/errors.ts';
import type { ListedSite, SiteUpload } from '../../../serverless/renders/reports.ts';
import { uploadSite } from '../../../serverless/sites/sites.ts';
import { deleteSite, listSites } from '../../../serverless/sites/storedSites.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { bytesText, countText, table } from '../../output/format.ts';
import { barText, createLiveLine } from '../../output/liveLine.ts';
import type { ProgressMode } from '../../output/renderProgress.ts';
import { type Account, openAccount } from './serverlessAccount.ts';
import { warn } from './serverlessWait.ts';

export async function runSitesCreate(input: CommandInput, io: CliIo): Promise<number> {
  const account = openAccount(input, io);
  const { bucketName } = await account.renderStack();
  const site = await upload(account, bucketName, input, io);
  const { siteId, files, bytes, uploadedFiles, uploadedBytes } = site;
  if (input.flags.has('json'))
    io.stdout.write(`${JSON.stringify({ siteId, bucketName, files, bytes, uploadedFiles, uploadedBytes })}\n`);
  else {
    io.stdout.write(`${siteId}\n`);
    io.stderr.write(
      `${countText(files, 'file')}, ${bytesText(bytes)}; ${countText(uploadedFiles, 'file')} uploaded (${bytesText(uploadedBytes)})\n`,
    );
  }
  return 0;
}

/** Returns 0; throws UserError. */
export async function runSitesList(input: CommandInput, io: CliIo): Promise<number> {
  const account = openAccount(input, io);
  const { bucketName } = await account.outputs();
  const sites = await listSites(account.bucket(bucketName));
  if (input.flags.has('json')) io.stdout.write(`${JSON.stringify(sites)}\n`);
  else io.stdout.write(sitesText(sites));
  return 0;
}

function sitesText(sites: readonly ListedSite[]): string {
  if (sites.length === 0) return 'No sites.\n';
  const rows = sites.map(({ siteId, files, bytes, uploadedAt }) => [
    siteId,
    String(files),
    bytesText(bytes),
    uploadedAt,
  ]);
  return `${table([['SITE', 'FILES', 'SIZE', 'UPLOADED'], ...rows]).join('\n')}\n`;
}

/** Does not ask: the same project gets the same site id when it is uploaded again. Returns 0; throws UserError. */
export async function runSitesDelete(input: CommandInput, io: CliIo): Promise<number> {
  const [siteId] = input.positionals;
  if (siteId === undefined) {
    throw new UserError('usage', 'the site id is missing', { hint: 'Usage: framework serverless sites delete <site>' });
  }
  const account = openAccount(input, io);
  const { bucketName, stateMachineArn } = await account.outputs();
  const machine = { client: account.stepFunctions, stateMachineArn };
  const { deletedFiles, deletedBytes } = await deleteSite(account.bucket(bucketName), siteId, machine);
  if (input.flags.has('json')) io.stdout.write(`${JSON.stringify({ siteId, deletedFiles, deletedBytes })}\n`);
  else {
    io.stdout.write(`${siteId}\n`);
    const files = `${countText(deletedFiles, 'file')} (${bytesText(deletedBytes)})`;
    io.stderr.write(`Deleted with ${files}. To upload it again: framework serverless sites create\n`);
  }
  return 0;
}

/** Uploads the command's project and shows the progress. `outputs`: paths that the command writes. */
export async function upload(
  account: Account,
  bucketName: string,
  input: CommandInput,
  io: CliIo,
  outputs: readonly string[] = [],
): Promise<SiteUpload> {
  const mode = (input.values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  const site = await uploadSite(account.bucket(bucketName), input.positionals[0] ?? '.', {
    signal: io.signal,
    outputs,
    onEvent: (event) => {
      if (mode === 'ndjson') io.stderr.write(`${JSON.stringify(event)}\n`);
      else if (mode === 'auto' && io.stderr.isTTY)
        live.draw(
          `${barText(event.done / Math.max(1, event.total))} uploading ${bytesText(event.done)} of ${bytesText(event.total)}`,
        );
    },
  });
  live.clear();
  for (const message of site.warnings) warn(message, input, io);
  return site;
}
