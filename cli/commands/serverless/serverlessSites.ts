// `framework serverless sites create`: uploads a project once, for any number of renders.
import type { SiteUpload } from '../../../serverless/reports.ts';
import { uploadSite } from '../../../serverless/sites.ts';
import { colorsFor } from '../../colors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { bytesText, countText } from '../../format.ts';
import { barText, createLiveLine } from '../../liveLine.ts';
import type { ProgressMode } from '../../renderProgress.ts';
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

/** Uploads the command's project and shows the progress. */
export async function upload(
  account: Account,
  bucketName: string,
  input: CommandInput,
  io: CliIo,
): Promise<SiteUpload> {
  const mode = (input.values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  const site = await uploadSite(account.bucket(bucketName), input.positionals[0] ?? '.', {
    signal: io.signal,
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
