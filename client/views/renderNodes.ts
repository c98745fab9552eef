// The rows of the Videos view: renders of this workspace, of the account in the cloud, and on AWS.

import { l10n } from 'vscode';
import { given } from '../../renderer-core/model/variables/given.ts';
import { defaultsText } from '../render/batch/batchText.ts';
import type { RenderEntry } from '../render/history.ts';
import { durationText } from '../render/renderText.ts';
import { valuesText } from '../render/valuesText.ts';
import type { CloudList, CloudRecord } from './cloudList.ts';
import { escaped } from './compositionNodes.ts';
import { outputClick, type ViewNode, videoThumbnail } from './viewNode.ts';

/** `unknown`: not loaded yet. `off`: programs cannot or must not be started. */
export type CloudState =
  | { kind: 'off' | 'unknown' | 'signedOut' }
  | { kind: 'ready' | 'loading'; list: CloudList }
  | { kind: 'failed'; list: CloudList; message: string };

/** `now`: milliseconds since 1970. */
export type RendersState = { entries: readonly RenderEntry[]; cloud: CloudState; now: number };

/** Empty when there are no renders and the user is signed out: then VS Code shows the welcome view. */
export function renderNodes(state: RendersState): ViewNode[] {
  const groups = [workspaceGroup(state), cloudGroup(state), awsGroup(state)].filter((group) => group !== undefined);
  const isEmpty = groups.every(({ children = [] }) => children.every(({ context }) => context === 'signIn'));
  return isEmpty && state.cloud.kind !== 'ready' ? [] : groups;
}

function workspaceGroup({ entries, now }: RendersState): ViewNode | undefined {
  if (entries.length === 0) return undefined;
  const label = l10n.t('This Workspace');
  return group(
    'workspace',
    label,
    'window',
    entries.map((entry) => entryNode(entry, now)),
  );
}

function awsGroup({ entries, now }: RendersState): ViewNode | undefined {
  const remote = entries.filter(({ kind, remoteId }) => kind === 'serverless' && remoteId !== undefined);
  if (remote.length === 0) return undefined;
  return group(
    'aws',
    l10n.t('AWS'),
    'server-environment',
    remote.map((entry) => executionNode(entry, now)),
  );
}

function cloudGroup({ cloud, now }: RendersState): ViewNode | undefined {
  if (!('list' in cloud)) {
    if (cloud.kind !== 'signedOut') return undefined;
    return group('cloud', l10n.t('Cloud'), 'cloud', [signInNode()]);
  }
  const { records, next } = cloud.list;
  const rows = records.map((record) => recordNode(record, now));
  const failure = cloud.kind === 'failed' ? [failureNode(cloud.message)] : [];
  const more = next === null ? [] : [moreNode(cloud.kind === 'loading')];
  const empty = records.length === 0 && cloud.kind === 'ready' ? [emptyNode()] : [];
  return group('cloud', l10n.t('Cloud'), 'cloud', [...failure, ...rows, ...empty, ...more]);
}

function group(id: string, label: string, icon: string, children: ViewNode[]): ViewNode {
  return { id: `group:${id}`, label, icon: { name: icon }, context: `group ${id}`, fold: 'open', children };
}

const signInNode = (): ViewNode => ({
  id: 'signIn',
  label: l10n.t('Sign in to see the renders of your account'),
  icon: { name: 'sign-in' },
  context: 'signIn',
  runs: { command: 'framework.signIn' },
});

const failureNode = (message: string): ViewNode => ({
  id: 'failure',
  label: message.split('\n')[0] ?? '',
  tooltip: escaped(message),
  icon: { name: 'warning', color: 'list.warningForeground' },
  context: 'failure',
  runs: { command: 'framework.renders.refresh' },
});

const moreNode = (isLoading: boolean): ViewNode => ({
  id: 'more',
  label: isLoading ? l10n.t('Loading…') : l10n.t('Load More'),
  icon: { name: isLoading ? 'loading~spin' : 'ellipsis' },
  context: 'more',
  runs: { command: 'framework.renders.loadMore' },
});

const emptyNode = (): ViewNode => ({
  id: 'nothing',
  label: l10n.t('No renders in this account yet'),
  context: 'nothing',
});

type State = RenderEntry['state'];

const icons: Record<State, { name: string; color?: string }> = {
  running: { name: 'loading~spin', color: 'charts.blue' },
  completed: { name: 'pass-filled', color: 'testing.iconPassed' },
  failed: { name: 'error', color: 'testing.iconFailed' },
  cancelled: { name: 'circle-slash', color: 'disabledForeground' },
};

/** Marks a batch that is completed, but not as its rows say. */
export const warningIcon = { name: 'warning', color: 'list.warningForeground' };

const kindNames = (): Record<RenderEntry['kind'], string> => ({
  render: l10n.t('Render'),
  batch: l10n.t('Batch'),
  cloud: l10n.t('Cloud render'),
  serverless: l10n.t('Render on AWS'),
});

/** `context` is for example `entry batch failed output remote`. */
function entryNode(entry: RenderEntry, now: number): ViewNode {
  const { id, kind, name, state, composition, output, remoteId, usedDefaults } = entry;
  const has = [...(output === undefined ? [] : ['output']), ...(remoteId === undefined ? [] : ['remote'])];
  const isPlayable = state === 'completed' && output !== undefined && kind !== 'batch';
  return {
    id: `entry:${id}`,
    label: name,
    description: entryText(entry, now),
    tooltip: entryTooltip(entry),
    icon: usedDefaults === undefined ? icons[state] : warningIcon,
    context: ['entry', kind, state, ...has].join(' '),
    uri: composition,
    entryId: id,
    ...given({ output, renderId: remoteId }),
    ...(kind === 'batch' && output !== undefined ? { fold: state === 'running' ? 'open' : 'closed' } : {}),
    ...(isPlayable ? { ...outputClick(output), ...videoThumbnail(output, entry.poster) } : {}),
    ...(state === 'failed' && kind !== 'batch'
      ? { runs: { command: 'framework.renders.showLog', args: [{ entryId: id }] } }
      : {}),
  };
}

function entryText(entry: RenderEntry, now: number): string {
  const { kind, state, percent, message, startedAt, endedAt, error, usedDefaults, values } = entry;
  const where = kind === 'cloud' ? l10n.t('cloud') : kind === 'serverless' ? l10n.t('AWS') : '';
  const part = percent === undefined ? '' : `${Math.floor(percent)} %`;
  const facts = {
    running: [part, message ?? ''],
    completed: [...(usedDefaults ? [defaultsText(usedDefaults)] : []), agoText(endedAt ?? startedAt, now)],
    failed: [l10n.t('failed'), agoText(endedAt ?? startedAt, now), firstLine(error ?? '')],
    cancelled: [l10n.t('cancelled'), agoText(endedAt ?? startedAt, now)],
  }[state];
  return [...facts, where, valuesText(values)].filter((fact) => fact !== '').join(' · ');
}

function entryTooltip(entry: RenderEntry): string {
  const { kind, name, startedAt, endedAt, output, remoteId, error, values } = entry;
  const given = Object.entries(values).map(([id, value]) => `${id}: ${JSON.stringify(value)}`);
  const took = endedAt === undefined ? '' : durationText((endedAt - startedAt) / 1000);
  const rows: [string, string][] = [
    [l10n.t('Started'), new Date(startedAt).toLocaleString()],
    [l10n.t('Duration'), took],
    [l10n.t('Values'), given.join(', ')],
    [l10n.t('File'), output ?? ''],
    [l10n.t('ID'), remoteId ?? ''],
    [l10n.t('Error'), error ?? ''],
  ];
  return tooltipOf(`${kindNames()[kind]}: ${name}`, rows);
}

function tooltipOf(title: string, rows: readonly [string, string][]): string {
  const lines = rows.filter(([, value]) => value !== '').map(([name, value]) => `- ${name}: ${escaped(value)}`);
  return [`**${escaped(title)}**`, '', ...lines].join('\n');
}

/** An execution on AWS, labelled with its name. */
function executionNode(entry: RenderEntry, now: number): ViewNode {
  const { id, name, remoteId = '', state, composition } = entry;
  return {
    id: `aws:${id}`,
    label: remoteId.slice(remoteId.lastIndexOf(':') + 1),
    description: [name, entryText({ ...entry, kind: 'render' }, now)].join(' · '),
    tooltip: entryTooltip(entry),
    icon: icons[state],
    context: ['execution', 'serverless', state, 'remote'].join(' '),
    uri: composition,
    entryId: id,
    renderId: remoteId,
  };
}

/** `context` is for example `record completed`. */
function recordNode(record: CloudRecord, now: number): ViewNode {
  const { render_id: id, title, composition, status, failure_message: failure, credits } = record;
  const state: State = status === 'queued' || status === 'rendering' ? 'running' : status;
  const rows: [string, string][] = [
    [l10n.t('ID'), id],
    [l10n.t('Composition'), composition],
    [l10n.t('Video'), videoText(record)],
    [l10n.t('Submitted'), new Date(record.created_at * 1000).toLocaleString()],
    [l10n.t('Credits'), credits === null ? '' : String(credits)],
    [l10n.t('Error'), failure ?? ''],
  ];
  return {
    id: `cloud:${id}`,
    label: title ?? composition,
    description: recordText(record, now),
    tooltip: tooltipOf(title ?? composition, rows),
    icon: status === 'queued' ? { name: 'clock', color: 'charts.blue' } : icons[state],
    context: `record ${state}`,
    renderId: id,
    saveAs: downloadName(title, id, record.format),
  };
}

function recordText(record: CloudRecord, now: number): string {
  const { status, progress, created_at: created, completed_at: completed, failure_message: failure } = record;
  const ago = agoText((completed ?? created) * 1000, now);
  const facts = {
    queued: [l10n.t('queued')],
    rendering: [`${Math.floor(Math.min(1, progress) * 100)} %`],
    completed: [ago, videoText(record)],
    failed: [l10n.t('failed'), ago, firstLine(failure ?? '')],
  }[status];
  return facts.filter((fact) => fact !== '').join(' · ');
}

function videoText({ duration, format, resolution }: CloudRecord): string {
  return [duration === null ? '' : durationText(duration), format, resolution].filter((fact) => fact !== '').join(' ');
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** The time since `then`, in minutes or more, so that the text does not change every second. Both are in milliseconds. */
export function agoText(then: number, now: number): string {
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return l10n.t('just now');
  if (minutes < 60) return l10n.t('{0} min ago', minutes);
  if (minutes < 24 * 60) return l10n.t('{0} h ago', Math.floor(minutes / 60));
  return new Date(then).toLocaleDateString();
}

/** A file name of a cloud render: the title, reduced to characters that are valid everywhere, and the end of the id. */
export function downloadName(title: string | null, renderId: string, format: string): string {
  const name = (title ?? '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const id = renderId.replaceAll(/[^\w-]/g, '');
  return `${name === '' ? id : `${name}-${id.slice(-8)}`}.${format}`;
}
