// Footage with color grading.
import { page } from '../../page.ts';
import { files, videoTag } from '../../pattern.ts';

export const colorGrading = [
  page(
    'footage with color grading',
    'video { width: 236px; float: left; margin: 2px }',
    `${videoTag(`data-color-grading='{"preset":"cinematic"}'`)}${videoTag(`data-color-grading='{"adjust":{"exposure":0.5,"temperature":0.6,"saturation":-0.4}}'`)}`,
    { files },
  ),
];
