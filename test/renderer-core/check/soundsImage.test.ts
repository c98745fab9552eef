// The image of `framework sounds`.
import { expect, test } from 'vitest';
import { soundsImage, timeMarks } from '../../../renderer-core/check/soundsImage.ts';

test.each([
  [0.8, [0, 0.5]],
  [7, [0, 1, 2, 3, 4, 5, 6]],
  [90, [0, 10, 20, 30, 40, 50, 60, 70, 80]],
])('marks a video of %d s at round seconds', (duration, marks) => expect(timeMarks(duration)).toEqual(marks));

test('draws a lane for each sound', () => {
  const { height, html } = soundsImage([{ title: '<audio id="a">', note: 'silent', peaks: [0, 0.5, 1] }], 2);
  expect(height).toBe(96 + 30 + 20 + 30 + 20);
  expect(html).toContain('<h2>&lt;audio id="a"><span>silent</span></h2>');
  expect(html).toContain('<path d="M0 -0.004L1 -0.500L2 -1.000L2 1.000L1 0.500L0 0.004Z"/>');
});
