// After the first render with another browser or ffmpeg than the pinned ones: offers to download those.
import { commands, type ExtensionContext, type LogOutputChannel, l10n, window } from 'vscode';
import type { Host } from '../host.ts';
import { bytesText } from './doctorPage.ts';
import { planDownloads } from './downloads.ts';
import { namedPrograms } from './runDoctor.ts';

type Services = { context: ExtensionContext; extensionPath: string; host: Host; log: LogOutputChannel };

const key = 'framework.pinned';

/** Once per version of the extension. Programs in the settings are the user's choice. Never rejects. */
export async function offerPinned(services: Services): Promise<void> {
  const { context, log } = services;
  const version = String(context.extension.packageJSON.version);
  if (context.globalState.get<string>(key) === version) return;
  const named = namedPrograms();
  const programs = ['browser', 'ffmpeg'].filter((program) => !named.includes(program));
  if (programs.length === 0) return;
  const plan = await planDownloads(services, programs);
  if ('error' in plan) return log.warn(plan.error.message);
  await context.globalState.update(key, version);
  const missing = plan.programs.filter(({ status }) => status === 'planned');
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const bytes = missing.reduce((sum, each) => sum + each.bytes, 0);
  const accept = l10n.t('Download ({0})', bytesText(bytes));
  const message = l10n.t(
    'This render used other programs than those with which Framework is tested, so its frames can differ from those of other machines. Download {0}?',
    names,
  );
  const answer = await window.showInformationMessage(message, accept);
  if (answer === undefined) return;
  await commands.executeCommand('framework.setUp', {
    programs: missing.map(({ program }) => program),
    isConfirmed: true,
  });
}
