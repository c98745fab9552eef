// What the icon of a row says, in words for who does not see it.
import { l10n } from 'vscode';
import type { ViewNode } from './node.ts';

/** Of icons that tell what nothing else in their row does. */
const words = (): Record<string, string> => ({
  'loading~spin': l10n.t('under way'),
  clock: l10n.t('waiting'),
  'circle-outline': l10n.t('waiting'),
  'pass-filled': l10n.t('completed'),
  pass: l10n.t('completed'),
  error: l10n.t('failed'),
  'circle-slash': l10n.t('cancelled'),
  'debug-step-over': l10n.t('rendered before'),
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

/** What is read out in place of label and description; undefined where those say it all. */
export function spokenLabel({ label, description = '', icon }: ViewNode): string | undefined {
  const word = icon && words()[icon.name];
  if (!word || description.split(' · ').includes(word)) return undefined;
  return [label, word, description].filter((part) => part !== '').join(', ');
}
