// What the doctor's page shows: the rows of `framework doctor` in the editor's words, each with the buttons that mend it.
import { l10n } from 'vscode';
import { inSettings } from '../editorWords.ts';

/** As `framework doctor --json` prints it. */
export type Diagnosis = { ok: boolean; rows: readonly DiagnosisRow[] };

export type DiagnosisRow = {
  name: string;
  status: 'ok' | 'warning' | 'missing';
  value: string;
  fix?: string;
  remedy?: { program: string; bytes: number };
};

/** What a press of a button asks of the extension. */
export type DoctorRequest =
  | { type: 'run' }
  | { type: 'download'; programs: readonly string[] }
  | { type: 'setting'; name: string }
  | { type: 'copy'; text: string };

export type DoctorButton = { label: string; request: DoctorRequest; isMain?: boolean };

export type DoctorRow = {
  status: DiagnosisRow['status'];
  /** The status in a word, for who does not see the icon. */
  statusText: string;
  name: string;
  value: string;
  fix: string;
  buttons: readonly DoctorButton[];
};

/** Everything the page shows; it knows no words of its own. `isBusy`: the machine is being looked at. */
export type DoctorPage = {
  title: string;
  verdict: string;
  status: DiagnosisRow['status'] | 'busy';
  note: string;
  columns: readonly [status: string, name: string, value: string];
  rows: readonly DoctorRow[];
  buttons: readonly DoctorButton[];
};

export function busyPage(known: DoctorPage | undefined): DoctorPage {
  const verdict = l10n.t('Looking at this machine…');
  return {
    ...(known ?? { rows: [], columns: columns(), title: l10n.t('Framework Doctor') }),
    verdict,
    status: 'busy',
    note: l10n.t('The browser is started once; that takes some seconds.'),
    buttons: [],
  };
}

export function failedPage(reason: string): DoctorPage {
  return {
    title: l10n.t('Framework Doctor'),
    verdict: l10n.t('This machine could not be looked at.'),
    status: 'missing',
    note: reason,
    columns: columns(),
    rows: [],
    buttons: [runAgain()],
  };
}

/** `folder` is where downloads go. */
export function doctorPage({ ok, rows }: Diagnosis, folder: string): DoctorPage {
  const remedies = remediesOf(rows);
  const bytes = remedies.reduce((sum, remedy) => sum + remedy.bytes, 0);
  const download: DoctorButton = {
    label: l10n.t('Download What Is Missing ({0})', bytesText(bytes)),
    request: { type: 'download', programs: remedies.map(({ program }) => program) },
    isMain: true,
  };
  const warned = rows.some(({ status }) => status === 'warning');
  return {
    title: l10n.t('Framework Doctor'),
    verdict: ok ? l10n.t('This machine can render.') : l10n.t('This machine cannot render yet.'),
    status: ok ? (warned ? 'warning' : 'ok') : 'missing',
    note: remedies.length > 0 ? l10n.t('Downloads go to {0}, and nowhere else.', folder) : '',
    columns: columns(),
    rows: rows.map(rowOf),
    buttons: [
      ...(remedies.length > 0 ? [download] : []),
      runAgain(),
      { label: l10n.t('Copy as Text'), request: { type: 'copy', text: plainText(rows) } },
    ],
  };
}

/** What would be downloaded, each program once. */
export function remediesOf(rows: readonly DiagnosisRow[]): { program: string; bytes: number }[] {
  const found = new Map(rows.flatMap(({ remedy }) => (remedy ? [[remedy.program, remedy] as const] : [])));
  return [...found.values()];
}

function rowOf(row: DiagnosisRow): DoctorRow {
  const { name, status, value, fix = '', remedy } = row;
  const setting = inSettings[name === 'H.264 encoder' ? 'ffmpeg' : name];
  const command = commandIn(fix);
  const buttons: DoctorButton[] = [
    ...(remedy
      ? [
          {
            label: l10n.t('Download ({0})', bytesText(remedy.bytes)),
            request: { type: 'download' as const, programs: [remedy.program] },
          },
        ]
      : []),
    ...(command === undefined
      ? []
      : [{ label: l10n.t('Copy Command'), request: { type: 'copy' as const, text: command } }]),
    ...(setting === undefined
      ? []
      : [{ label: l10n.t('Open Setting'), request: { type: 'setting' as const, name: `framework.${setting}` } }]),
  ];
  return {
    status,
    statusText: statusText(status),
    name,
    value,
    fix: fixText(fix, remedy !== undefined),
    buttons: status === 'ok' ? [] : buttons,
  };
}

function statusText(status: DiagnosisRow['status']): string {
  if (status === 'ok') return l10n.t('OK');
  return status === 'warning' ? l10n.t('Warning') : l10n.t('Missing');
}

const columns = (): DoctorPage['columns'] => [l10n.t('Status'), l10n.t('What'), l10n.t('Found')];
const runAgain = (): DoctorButton => ({ label: l10n.t('Run Again'), request: { type: 'run' } });

/** What a button of the row does need not be said as a command. */
function fixText(fix: string, hasButton: boolean): string {
  if (!hasButton) return fix;
  return fix
    .replace(/^Run "framework setup \w+", which downloads one; or (\w)/, (_, first: string) => first.toUpperCase())
    .replace(/ ?Or run "framework setup \w+", which downloads one\.$/, '')
    .replaceAll(/--(browser|ffmpeg) or FRAMEWORK_\w+/g, (_, option: string) => `framework.${inSettings[option]}`)
    .replaceAll(/--(browser|ffmpeg) <path>/g, (_, option: string) => `framework.${inSettings[option]}`);
}

/** The command of a shell in a sentence, where there is one. */
export function commandIn(fix: string): string | undefined {
  return /(?:sudo )?(?:apt-get|dnf|apk) (?:install|add) [\w.+-]+(?: [\w.+-]+)*/.exec(fix)?.[0].replace(/\.$/, '');
}

function plainText(rows: readonly DiagnosisRow[]): string {
  const marks = { ok: '✔', warning: '!', missing: '✖' };
  return rows.map(({ name, status, value }) => `${marks[status]} ${name}: ${value}\n`).join('');
}

/** `120 MB`, as file managers count. */
export function bytesText(bytes: number): string {
  return l10n.t('{0} MB', Math.max(1, Math.round(bytes / 1e6)));
}
