// Accessibility labels of tree rows: they include what the icon shows.
import { l10n } from 'vscode';
import type { ViewNode } from './viewNode.ts';

/** The meaning of icons that add information to their row. */
const iconTexts = (): Record<string, string> => ({
  'loading~spin': l10n.t('in progress'),
  clock: l10n.t('queued'),
  'circle-outline': l10n.t('waiting'),
  'pass-filled': l10n.t('completed'),
  pass: l10n.t('completed'),
  error: l10n.t('failed'),
  'circle-slash': l10n.t('cancelled'),
  'debug-step-over': l10n.t('skipped'),
  warning: l10n.t('warning'),
  'device-camera-video': l10n.t('composition'),
  'symbol-string': l10n.t('variable'),
  'symbol-number': l10n.t('variable'),
  'symbol-color': l10n.t('variable'),
  'symbol-boolean': l10n.t('variable'),
  'symbol-enum': l10n.t('variable'),
  'play-circle': l10n.t('video'),
  unmute: l10n.t('sound'),
  'file-media': l10n.t('image'),
  references: l10n.t('embedded composition'),
  layers: l10n.t('clip'),
});

/** The label for screen readers; undefined when the label and the description already contain everything. */
export function accessibilityLabel({ label, description = '', icon }: ViewNode): string | undefined {
  const text = icon && iconTexts()[icon.name];
  if (!text || description.split(' · ').includes(text)) return undefined;
  return [label, text, description].filter((part) => part !== '').join(', ');
}
