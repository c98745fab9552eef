// The texts of estimates: a value, and the sentence that says what it is based on.
import { l10n } from 'vscode';
import { bytesText, durationText } from '../render/renderText.ts';
import type { Fact } from './dialogMessages.ts';
import type { Earlier, Estimates, PlannedVideo } from './estimate.ts';
import type { Target } from './renderChoice.ts';

/** `1920 × 1080, 30 frames per second, 270 frames, 9 s` */
export function videoText({ width, height, fps, frames, duration }: PlannedVideo): string {
  const rate = Number((fps.num / fps.den).toFixed(3));
  return l10n.t(
    '{0} × {1}, {2} frames per second, {3} frames, {4}',
    width,
    height,
    rate,
    frames,
    durationText(duration),
  );
}

const unknown = (basis: string): Fact => ({ value: l10n.t('Not known'), basis, isUnknown: true });
const known = (value: string, basis: string): Fact => ({ value, basis, isUnknown: false });
const noEarlier = () => l10n.t('No earlier render of this composition with this format and quality.');

export function timeFact(target: Target, time: Estimates['time']): Fact {
  if (!time)
    return unknown(target === 'cloud' ? l10n.t('Depends on the queue and the machines of the service.') : noEarlier());
  const value = l10n.t('About {0}', durationText(rounded(time.amount)));
  const { basis } = time;
  if (basis.kind === 'earlier') return known(value, earlierText(basis.earlier));
  return known(
    value,
    basis.chunks === 1
      ? l10n.t('1 worker at {0} frames per second.', basis.framesPerSecond)
      : l10n.t('{0} workers at {1} frames per second each.', basis.chunks, basis.framesPerSecond),
  );
}

export function sizeFact(bytes: Estimates['bytes']): Fact {
  if (!bytes) return unknown(noEarlier());
  return known(l10n.t('About {0}', bytesText(bytes.amount)), earlierText(bytes.basis));
}

export function costFact({ amount, basis }: Estimates['cost']): Fact {
  if (basis.unit === 'free') return known(l10n.t('None'), l10n.t('Rendered on this computer.'));
  if (basis.unit === 'credits')
    return known(
      amount === 1 ? l10n.t('1 credit') : l10n.t('{0} credits', amount),
      l10n.t("The service's price for each second of video."),
    );
  return known(
    l10n.t('About {0}', `$${amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`),
    l10n.t('The prices of AWS for Lambda, Step Functions and S3.'),
  );
}

function earlierText({ name, frames, framesPerSecond, isSameSize }: Earlier): string {
  const rate = framesPerSecond < 10 ? framesPerSecond.toFixed(1) : Math.round(framesPerSecond);
  return isSameSize
    ? l10n.t('From {0}: {1} frames at {2} per second.', name, frames, rate)
    : l10n.t('Scaled from {0}, which has another size: {1} frames at {2} per second.', name, frames, rate);
}

/** More digits would pretend a precision that the estimate does not have. */
const rounded = (seconds: number): number => (seconds < 10 ? Math.max(0.1, seconds) : Math.round(seconds));
