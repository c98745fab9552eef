// The commands that install the browser, ffmpeg and fonts, and the check whether they are installed.
import { commands, type Disposable, l10n, window, workspace } from 'vscode';
import type { CliError } from '../cli/cliEvents.ts';
import { debounced } from '../debounced.ts';
import { editorError, settingOfOption } from '../errorMessages.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import type { SetupNeed } from '../language/languageStatus.ts';
import { bytesText, type Diagnosis, remediesOf } from './doctorPage.ts';
import { createDoctorPanel, type DoctorPanel } from './doctorPanel.ts';
import { download, planDownloads, type SetupReport } from './downloads.ts';
import { namedPrograms, runDoctor } from './runDoctor.ts';

/** The argument of the command `framework.setUp`. Without `isConfirmed` it shows the size and asks first. */
export type SetupRequest = { programs?: readonly string[]; isConfirmed?: boolean };

/** The check starts a browser. When a workspace has been trusted, previews and the language server start first. */
const trustDelayMs = 20_000;

export type SetupStatus = { showSetup(need: SetupNeed | undefined): void };

/** The command `framework.setUp` returns whether all requested programs are installed. */
export function createSetupCommands(services: ExtensionServices, status: SetupStatus): Disposable[] {
  const { host, active } = services;
  const check = createSetupCheck(services, status);
  const later = debounced(trustDelayMs, () => check.runOnce());
  const panel = createDoctorPanel(services, host.programsFolder ?? '', check.remember);
  let isRunning = false;

  async function setup({
    programs = ['browser', 'ffmpeg', 'fonts'],
    isConfirmed = false,
  }: SetupRequest = {}): Promise<boolean> {
    if (!host.startCli) return refuseInBrowser();
    if (isRunning) {
      void window.showInformationMessage(l10n.t('The installation is already running.'));
      return false;
    }
    isRunning = true;
    try {
      return await planAndDownload(programs, isConfirmed, services, panel);
    } finally {
      isRunning = false;
      // Not awaited: a render that waits for the programs need not wait for the doctor.
      void (panel.isOpen() ? panel.refresh() : check.run());
    }
  }
  return [
    panel,
    commands.registerCommand('framework.doctor', () => (host.startCli ? panel.open() : refuseInBrowser())),
    commands.registerCommand('framework.setUp', setup),
    // Only when a composition is active: other HTML files are no reason to start a browser.
    active.onDidChange(() => check.runOnce()),
    workspace.onDidGrantWorkspaceTrust(later.schedule),
    later,
    workspace.onDidChangeConfiguration((event) => {
      const paths = ['framework.browserPath', 'framework.ffmpegPath'];
      if (paths.some((path) => event.affectsConfiguration(path))) check.forget();
    }),
  ];
}

async function planAndDownload(
  programs: readonly string[],
  isConfirmed: boolean,
  services: ExtensionServices,
  panel: DoctorPanel,
): Promise<boolean> {
  const named = namedPrograms();
  let chosen = programs.filter((program) => !named.includes(program));
  if (chosen.length === 0) return reportNamedPrograms(programs, panel);
  if (!isConfirmed) {
    const plan = await planDownloads(services, chosen);
    if ('error' in plan) return reportFailure(plan.error, services, panel, () => undefined);
    const missing = plan.programs.filter(({ status }) => status === 'planned');
    if (missing.length === 0) return reportNothingMissing(programs, chosen, panel);
    if (!(await confirmDownload(missing, plan.folder, panel))) return false;
    chosen = missing.map(({ program }) => program);
  }
  const end = await download(services, chosen);
  if (end === 'cancelled') return false;
  if ('error' in end)
    return reportFailure(end.error, services, panel, () =>
      commands.executeCommand('framework.setUp', { programs, isConfirmed }),
    );
  const names = end.programs.map(({ name }) => name).join(', ');
  void window.showInformationMessage(l10n.t('Installed {0}.', names));
  return true;
}

async function confirmDownload(missing: SetupReport['programs'], folder: string, panel: DoctorPanel): Promise<boolean> {
  const bytes = missing.reduce((sum, each) => sum + each.bytes, 0);
  const list = missing.map((each) => `${each.name} (${bytesText(each.bytes)})`).join(', ');
  const [accept, doctor] = [l10n.t('Download ({0})', bytesText(bytes)), l10n.t('Run Doctor')];
  const message = l10n.t('Rendering requires {0}. Downloads are saved to {1}.', list, folder);
  const answer = await window.showInformationMessage(message, accept, doctor);
  if (answer === doctor) void panel.open();
  return answer === accept;
}

/** `chosen`: those of `programs` that the settings do not name. */
async function reportNothingMissing(
  programs: readonly string[],
  chosen: readonly string[],
  panel: DoctorPanel,
): Promise<boolean> {
  const hasProgram = (names: readonly string[]) => names.some((name) => name !== 'fonts');
  return hasProgram(programs) && !hasProgram(chosen) ? reportNamedPrograms(programs, panel) : reportReady(panel);
}

async function reportReady(panel: DoctorPanel): Promise<true> {
  const doctor = l10n.t('Run Doctor');
  const message = l10n.t('Everything needed for rendering is installed.');
  void window.showInformationMessage(message, doctor).then((answer) => (answer === doctor ? panel.open() : undefined));
  return true;
}

/** A program in the settings takes precedence over a download, even when it does not work. */
async function reportNamedPrograms(programs: readonly string[], panel: DoctorPanel): Promise<false> {
  const doctor = l10n.t('Run Doctor');
  const names = programs.flatMap((program) => settingOfOption[program] ?? []);
  const settings = names.map((name) => `framework.${name}`).join(', ');
  const message = l10n.t(
    'Nothing was downloaded, because the settings name the programs: {0}. Clear them to use downloads.',
    settings,
  );
  void window.showInformationMessage(message, doctor).then((answer) => (answer === doctor ? panel.open() : undefined));
  return false;
}

async function reportFailure(
  error: CliError,
  { log }: ExtensionServices,
  panel: DoctorPanel,
  again: () => unknown,
): Promise<false> {
  const { message, hint } = editorError(error);
  log.error([message, ...(hint ? [hint] : [])].join('\n'));
  const buttons = [l10n.t('Try Again'), l10n.t('Run Doctor'), l10n.t('Show Log')] as const;
  void window.showErrorMessage(hint ? `${message} ${hint}` : message, ...buttons).then((answer) => {
    if (answer === buttons[0]) void again();
    if (answer === buttons[1]) void panel.open();
    if (answer === buttons[2]) log.show();
  });
  return false;
}

async function refuseInBrowser(): Promise<false> {
  const message = l10n.t('VS Code for the Web cannot start programs. Open the folder in VS Code on a computer.');
  void window.showWarningMessage(message);
  return false;
}

type SetupCheck = {
  /** Checks the machine unless that was done recently or programs must not be started. */
  runOnce(): void;
  run(): Promise<void>;
  remember(found: Diagnosis): void;
  forget(): void;
};

const key = 'framework.setUp';
/** Programs can be uninstalled, so a positive result expires. Milliseconds. */
const validMs = 7 * 24 * 60 * 60 * 1000;

/** Checks whether this machine can render. A positive result is stored in the global state. */
function createSetupCheck(
  { context, extensionPath, host, log, now }: ExtensionServices,
  status: SetupStatus,
): SetupCheck {
  const version = String(context.extension.packageJSON.version);
  let isDone = false;
  const remember = (found: Diagnosis): void => {
    isDone = true;
    const missing = found.rows.filter((row) => row.status === 'missing').map(({ name }) => name);
    const canDownload = remediesOf(found.rows).length > 0;
    status.showSetup(found.ok ? undefined : { missing, canDownload });
    void context.globalState.update(key, found.ok ? { version, at: now() } : undefined);
  };
  const run = async (): Promise<void> => {
    const found = await runDoctor({ extensionPath, host });
    if ('rows' in found) remember(found);
    else log.warn(found.problem);
  };
  return {
    remember,
    run,
    runOnce() {
      if (isDone || !host.startCli || !workspace.isTrusted) return;
      isDone = true;
      const good = context.globalState.get<{ version: string; at: number }>(key);
      if (good?.version === version && now() - good.at < validMs) return;
      void run();
    },
    forget() {
      isDone = false;
      void context.globalState.update(key, undefined);
    },
  };
}
