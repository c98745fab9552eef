// The checks of `framework check`: rules that need a browser, because they are about what is shown. Ignore comments and
// settings name them like the rules of the linter, and docs/rules.md explains them.
import type { FindingSeverity } from './finding.ts';

export type Check = { id: string; severity: FindingSeverity; title: string };

export const checks = [
  { id: 'text-outside-frame', severity: 'warning', title: 'Text that leaves the frame' },
  { id: 'text-outside-safe-area', severity: 'warning', title: 'Text outside of the safe area' },
  { id: 'text-outside-box', severity: 'warning', title: 'Text that leaves its box' },
  { id: 'text-cut', severity: 'warning', title: 'Text that is cut off' },
  { id: 'text-overlap', severity: 'warning', title: 'Texts that overlap' },
  { id: 'more-lines', severity: 'warning', title: 'Text with more lines than with the default values' },
  { id: 'low-contrast', severity: 'warning', title: 'Text with low contrast' },
  { id: 'enlarged-image', severity: 'info', title: 'Image that is enlarged' },
  { id: 'invisible-clip', severity: 'warning', title: 'Clip that is never visible' },
  { id: 'blank-frames', severity: 'warning', title: 'Frames of one color' },
  { id: 'still-frames', severity: 'info', title: 'Part without movement' },
  { id: 'last-frame', severity: 'warning', title: 'Last frame that differs from the frames before it' },
  { id: 'replaced-font', severity: 'info', title: 'Font that is replaced' },
  { id: 'unknown-character', severity: 'warning', title: 'Character that no font has' },
  { id: 'silent-sound', severity: 'warning', title: 'Sound that is not heard' },
  { id: 'clipped-sound', severity: 'warning', title: 'Sound that is too loud' },
  { id: 'cut-sound', severity: 'info', title: 'Sound that is cut off' },
] as const satisfies readonly Check[];

export type CheckId = (typeof checks)[number]['id'];

export const isCheck = (id: string): id is CheckId => checks.some((check) => check.id === id);
