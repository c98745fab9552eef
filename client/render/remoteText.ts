// What the service and AWS say of a render that they have made, in a few words.
import { l10n } from 'vscode';
import { bytesText, dollarsText, durationText } from './renderText.ts';

/** `4 s, 1.2 MB, 3 credits`, `1.2 MB, about $0.012`: as much as the answer tells. */
export function remoteFacts(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return '';
  const { duration, bytes, credits, outputFile, costs } = answer as Record<string, unknown>;
  const size = numberOf(bytes) ?? numberOf((outputFile as { bytes?: unknown } | null | undefined)?.bytes);
  const usd = numberOf((costs as { usd?: unknown } | undefined)?.usd);
  const [seconds, price] = [numberOf(duration), numberOf(credits)];
  return [
    ...(seconds === undefined ? [] : [durationText(seconds)]),
    ...(size === undefined ? [] : [bytesText(size)]),
    ...(price === undefined ? [] : [price === 1 ? l10n.t('1 credit') : l10n.t('{0} credits', price)]),
    ...(usd === undefined ? [] : [l10n.t('about {0}', dollarsText(usd))]),
  ].join(', ');
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
