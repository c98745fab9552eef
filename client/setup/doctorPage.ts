// The content of the doctor page: the rows of `framework doctor` with buttons that fix them.
import { l10n } from 'vscode';
import { editorHint, editorMessage } from '../../renderer-core/reports/editorText.ts';
import { settingOfOption } from '../errorMessages.ts';

/** The output of `framework doctor --json`. */
export type Diagnosis = { ok: boolean; rows: readonly DiagnosisRow[] };

export type DiagnosisRow = {
  name: string;
  status: 'ok' | 'warning' | 'missing';
  value: string;
  fix?: string;
  remedy?: { program: string; bytes: number };
};

/** The message of a button to the extension. */
export type DoctorRequest =
  | { type: 'run' }
  | { type: 'download'; programs: readonly string[] }
  | { type: 'setting'; name: string }
  | { type: 'clearSetting'; name: string }
  | { type: 'copy'; text: string };

export type DoctorButton = { label: string; request: DoctorRequest; isMain?: boolean };

export type DoctorRow = {
  status: DiagnosisRow['status'];
  /** For screen readers and the tooltip of the icon. */
  statusText: string;
  name: string;
  value: string;
  fix: string;
  buttons: readonly DoctorButton[];
};

/** Everything that the page shows. The texts are translated here, because the webview cannot translate. */
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
  const verdict = l10n.t('Checking this machine…');
  return {
    ...(known ?? { rows: [], columns: columns(), title: l10n.t('Framework Doctor') }),
    verdict,
    status: 'busy',
    note: l10n.t('This takes a few seconds, because the browser is started once.'),
    buttons: [],
  };
}

export function failedPage(reason: string): DoctorPage {
  return {
    title: l10n.t('Framework Doctor'),
    verdict: l10n.t('This machine could not be checked.'),
    status: 'missing',
    note: reason,
    columns: columns(),
    rows: [],
    buttons: [runAgain()],
  };
}

/** `folder` is the download folder. `named`: the programs in the settings, which take precedence over downloads. */
export function doctorPage({ ok, rows }: Diagnosis, folder: string, named: readonly string[] = []): DoctorPage {
  const remedies = remediesOf(rows).filter(({ program }) => !named.includes(program));
  const bytes = remedies.reduce((sum, remedy) => sum + remedy.bytes, 0);
  const download: DoctorButton = {
    label: l10n.t('Download Missing Programs ({0})', bytesText(bytes)),
    request: { type: 'download', programs: remedies.map(({ program }) => program) },
    isMain: true,
  };
  const hasWarning = rows.some(({ status }) => status === 'warning');
  return {
    title: l10n.t('Framework Doctor'),
    verdict: ok ? l10n.t('This machine can render.') : l10n.t('This machine cannot render yet.'),
    status: ok ? (hasWarning ? 'warning' : 'ok') : 'missing',
    note: remedies.length > 0 ? l10n.t('Downloads are saved to {0}.', folder) : '',
    columns: columns(),
    rows: rows.map((row) => rowOf(row, named)),
    buttons: [
      ...(remedies.length > 0 ? [download] : []),
      runAgain(),
      { label: l10n.t('Copy as Text'), request: { type: 'copy', text: plainText(rows) } },
    ],
  };
}

/** The programs that can be downloaded, without duplicates. */
export function remediesOf(rows: readonly DiagnosisRow[]): { program: string; bytes: number }[] {
  const found = new Map(rows.flatMap(({ remedy }) => (remedy ? [[remedy.program, remedy] as const] : [])));
  return [...found.values()];
}

function rowOf(row: DiagnosisRow, named: readonly string[]): DoctorRow {
  const { name, status, value, fix = '' } = row;
  const program = name === 'H.264 encoder' ? 'ffmpeg' : name;
  const isNamed = named.includes(program);
  const remedy = isNamed ? undefined : row.remedy;
  const setting = settingOfOption[program];
  const command = commandIn(fix);
  const buttons: DoctorButton[] = [
    ...(isNamed
      ? [
          {
            label: l10n.t('Clear Setting'),
            request: { type: 'clearSetting' as const, name: `framework.${setting}` },
          },
        ]
      : []),
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
    value: editorMessage(value),
    fix: fixText(fix, remedy !== undefined),
    buttons: status === 'ok' ? [] : buttons,
  };
}

function statusText(status: DiagnosisRow['status']): string {
  if (status === 'ok') return l10n.t('OK');
  return status === 'warning' ? l10n.t('Warning') : l10n.t('Missing');
}

const columns = (): DoctorPage['columns'] => [l10n.t('Status'), l10n.t('Item'), l10n.t('Result')];
const runAgain = (): DoctorButton => ({ label: l10n.t('Run Again'), request: { type: 'run' } });

/** Removes the setup command when the row has a download button, and names settings instead of options. */
function fixText(fix: string, hasButton: boolean): string {
  if (!hasButton) return editorHint(fix);
  const rest = fix
    .replace(/^Run "framework setup \w+"(?:, which downloads one;| to download it,)(?: or)? (\w)/, (_, first: string) =>
      first.toUpperCase(),
    )
    .replace(/ ?Or run "framework setup \w+"(?:, which downloads one| to download it| to download them now)\.$/, '');
  return editorHint(rest.replaceAll(/--(browser|ffmpeg) <path>/g, '--$1'));
}

/** The package manager command in a sentence, if there is one. */
export function commandIn(fix: string): string | undefined {
  return /(?:sudo )?(?:apt-get|dnf|apk) (?:install|add) [\w.+-]+(?: [\w.+-]+)*/.exec(fix)?.[0].replace(/\.$/, '');
}

function plainText(rows: readonly DiagnosisRow[]): string {
  const marks = { ok: '✔', warning: '!', missing: '✖' };
  return rows.map(({ name, status, value }) => `${marks[status]} ${name}: ${value}\n`).join('');
}

/** `120 MB`, in decimal megabytes. */
export function bytesText(bytes: number): string {
  return l10n.t('{0} MB', Math.max(1, Math.round(bytes / 1e6)));
}
