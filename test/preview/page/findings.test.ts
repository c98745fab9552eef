// Which boxes the preview draws around the findings of a check.
import { expect, test } from 'vitest';
import type { PreviewFinding } from '../../../preview/messages.ts';
import { marksAt } from '../../../preview/page/findingsView.ts';

const finding = (rule: string, more: Partial<PreviewFinding> = {}): PreviewFinding => ({
  rule,
  severity: 'warning',
  message: '',
  seconds: 2,
  box: { left: 100, top: 50, width: 200, height: 40 },
  ...more,
});
const frame = { time: 2, width: 640, height: 360 };
const size = { width: 640, height: 360 };
const around = { left: 94, top: 44, width: 212, height: 52 };

test('draws one box for all findings about a place, at most half a second away', () => {
  const findings = [finding('low-contrast'), finding('text-cut', { seconds: 2.5 })];
  const both = [{ ...around, label: 'low-contrast, text-cut', kind: 'warning' }];
  expect(marksAt(frame, { findings, ...size })).toEqual(both);
  expect(marksAt({ ...frame, time: 1.5 }, { findings, ...size })).toEqual([
    { ...around, label: 'low-contrast', kind: 'warning' },
  ]);
  expect(marksAt({ ...frame, time: 3.1 }, { findings, ...size })).toEqual([]);
});

test('keeps boxes in the frame', () => {
  const findings = [finding('text-outside-frame', { box: { left: -50, top: 330, width: 900, height: 60 } })];
  expect(marksAt(frame, { findings, ...size })).toEqual([
    { left: 0, top: 324, width: 640, height: 36, label: 'text-outside-frame', kind: 'warning' },
  ]);
});

test('draws nothing for findings without a place, and none in another size', () => {
  expect(marksAt(frame, { findings: [finding('cut-sound', { box: null })], ...size })).toEqual([]);
  expect(marksAt(frame, { findings: [finding('text-cut')], width: 360, height: 640 })).toEqual([]);
  expect(marksAt(frame, { findings: [finding('text-cut')], width: null, height: null })).toHaveLength(1);
});
