// The commands of the set-up, and the status that says when it is needed.
import { commands, type Disposable, l10n, window, workspace } from 'vscode';
import type { CliError } from '../cli/cliEvents.ts';
import { editorError } from '../editorWords.ts';
import type { SetUpNeed } from '../languageStatus.ts';
import type { Tools } from '../tools.ts';
import { askDoctor, namedPrograms } from './askDoctor.ts';
import { bytesText, type Diagnosis, remediesOf } from './doctorPage.ts';
import { createDoctorPanel, type DoctorPanel } from './doctorPanel.ts';
import { download, planDownloads, type SetUpReport } from './downloads.ts';

/** What `framework.setUp` may be given; without `isConfirmed` it tells the size and asks. */
export type SetUpOrder = { programs?: readonly string[]; isConfirmed?: boolean };

export type StatusOfSetUp = { showSetUp(need: SetUpNeed | undefined): void };

/** `framework.setUp` answers whether everything that was asked for is there now. */
export function createSetUpCommands(tools: Tools, status: StatusOfSetUp): Disposable[] {
  const { host, active } = tools;
  const known = createKnown(tools, status);
  const panel = createDoctorPanel(tools, host.programsFolder ?? '', known.remember);
  let isRunning = false;

  async function setUp({ programs = ['browser', 'ffmpeg'], isConfirmed = false }: SetUpOrder = {}): Promise<boolean> {
    if (!host.startCli) return refuseInBrowser();
    if (isRunning) {
      void window.showInformationMessage(l10n.t('The set-up is under way already.'));
      return false;
    }
    isRunning = true;
    try {
      return await planAndDownload(programs, isConfirmed, tools, panel);
    } finally {
      isRunning = false;
      // Whoever waits for the programs does not wait for the table too.
      void (panel.isOpen() ? panel.refresh() : known.ask());
    }
  }
  return [
    panel,
    commands.registerCommand('framework.doctor', () => (host.startCli ? panel.open() : refuseInBrowser())),
    commands.registerCommand('framework.setUp', setUp),
    // Not before somebody works on a composition: an HTML file alone is no reason to start a browser.
    active.onDidChange(() => known.askOnce()),
    workspace.onDidGrantWorkspaceTrust(() => known.askOnce()),
    workspace.onDidChangeConfiguration((event) => {
      const paths = ['framework.browserPath', 'framework.ffmpegPath'];
      if (paths.some((path) => event.affectsConfiguration(path))) known.forget();
    }),
  ];
}

async function planAndDownload(
  programs: readonly string[],
  isConfirmed: boolean,
  tools: Tools,
  panel: DoctorPanel,
): Promise<boolean> {
  const named = namedPrograms();
  let chosen = programs.filter((program) => !named.includes(program));
  if (chosen.length === 0) return tellNamed(panel);
  if (!isConfirmed) {
    const plan = await planDownloads(tools, chosen);
    if ('error' in plan) return tellFailure(plan.error, tools, panel, () => undefined);
    const missing = plan.programs.filter(({ status }) => status === 'planned');
    if (missing.length === 0) return tellReady(panel);
    if (!(await isWanted(missing, plan.folder, panel))) return false;
    chosen = missing.map(({ program }) => program);
  }
  const end = await download(tools, chosen);
  if (end === 'cancelled') return false;
  if ('error' in end)
    return tellFailure(end.error, tools, panel, () =>
      commands.executeCommand('framework.setUp', { programs, isConfirmed }),
    );
  const names = end.programs.map(({ name }) => name).join(', ');
  void window.showInformationMessage(l10n.t('Framework is set up: {0}.', names));
  return true;
}

async function isWanted(missing: SetUpReport['programs'], folder: string, panel: DoctorPanel): Promise<boolean> {
  const bytes = missing.reduce((sum, each) => sum + each.bytes, 0);
  const list = missing.map((each) => `${each.name} (${bytesText(each.bytes)})`).join(', ');
  const [yes, doctor] = [l10n.t('Download ({0})', bytesText(bytes)), l10n.t('Show Doctor')];
  const message = l10n.t('To render, this machine lacks {0}. Downloads go to {1}.', list, folder);
  const answer = await window.showInformationMessage(message, yes, doctor);
  if (answer === doctor) void panel.open();
  return answer === yes;
}

async function tellReady(panel: DoctorPanel): Promise<true> {
  const doctor = l10n.t('Show Doctor');
  const message = l10n.t('Everything that a render needs is on this machine.');
  void window.showInformationMessage(message, doctor).then((answer) => (answer === doctor ? panel.open() : undefined));
  return true;
}

/** One that a setting names goes before any that is downloaded, also when it does not work. */
async function tellNamed(panel: DoctorPanel): Promise<false> {
  const doctor = l10n.t('Show Doctor');
  const message = l10n.t(
    'The settings name the programs: framework.browserPath, framework.ffmpegPath. Nothing is downloaded.',
  );
  void window.showInformationMessage(message, doctor).then((answer) => (answer === doctor ? panel.open() : undefined));
  return false;
}

async function tellFailure(error: CliError, { log }: Tools, panel: DoctorPanel, again: () => unknown): Promise<false> {
  const { message, hint } = editorError(error);
  log.error([message, ...(hint ? [hint] : [])].join('\n'));
  const buttons = [l10n.t('Try Again'), l10n.t('Show Doctor'), l10n.t('Show Log')] as const;
  void window.showErrorMessage(hint ? `${message} ${hint}` : message, ...buttons).then((answer) => {
    if (answer === buttons[0]) void again();
    if (answer === buttons[1]) void panel.open();
    if (answer === buttons[2]) log.show();
  });
  return false;
}

async function refuseInBrowser(): Promise<false> {
  const message = l10n.t('An editor in a browser tab cannot start programs. Open the folder in VS Code on a computer.');
  void window.showWarningMessage(message);
  return false;
}

type Known = {
  /** Where it is not known yet, and programs may be started. */
  askOnce(): void;
  ask(): Promise<void>;
  remember(found: Diagnosis): void;
  forget(): void;
};

const key = 'framework.setUp';
/** Somebody may take away a browser: what was good then is looked at again. */
const goodForMs = 7 * 24 * 60 * 60 * 1000;

/** What is known of this machine; that it can render is kept over windows and days. */
function createKnown({ context, extensionPath, host, log }: Tools, status: StatusOfSetUp): Known {
  const version = String(context.extension.packageJSON.version);
  let isAsked = false;
  const remember = (found: Diagnosis): void => {
    isAsked = true;
    const missing = found.rows.filter((row) => row.status === 'missing').map(({ name }) => name);
    const canDownload = remediesOf(found.rows).length > 0;
    status.showSetUp(found.ok ? undefined : { missing, canDownload });
    void context.globalState.update(key, found.ok ? { version, at: Date.now() } : undefined);
  };
  const ask = async (): Promise<void> => {
    const found = await askDoctor({ extensionPath, host });
    if ('rows' in found) remember(found);
    else log.warn(found.problem);
  };
  return {
    remember,
    ask,
    askOnce() {
      if (isAsked || !host.startCli || !workspace.isTrusted) return;
      isAsked = true;
      const good = context.globalState.get<{ version: string; at: number }>(key);
      if (good?.version === version && Date.now() - good.at < goodForMs) return;
      void ask();
    },
    forget() {
      isAsked = false;
      void context.globalState.update(key, undefined);
    },
  };
}
