// A feature: something that pages contain and that needs help to be captured. Each has a folder, and a row in the table
// (features.ts).
import type { ProjectGraph } from '../../model/graph.ts';
import type { PageNeeds } from '../runtime/page.ts';
import type { PageTraits } from './pageTraits.ts';

/** What the files of a project show about its page before the page exists. */
export type Expected = { needs?: Partial<PageNeeds>; traits?: Partial<PageTraits> };

export type Feature = {
  name: string;
  /** What pages contain. */
  about: string;
  /** In how many of 385 published compositions it occurs, or the decision that asks for it. */
  share: string;
  /** Another feature without which this one does nothing. */
  requires?: string;
  expect?(graph: ProjectGraph): Expected;
  /** Globals by which a script is known to be a library, which runs once in a page with several mounts. */
  globals?: readonly string[];
  /** Scripts and WebAssembly of the feature that pages load when they need them. */
  scripts?: readonly string[];
};

/** Whether a file of the graph mentions some words. A hint for what must be known before the page exists: it may be wrong. */
export const mentions = (graph: ProjectGraph, words: RegExp): boolean =>
  [...graph.files.values()].some(({ text }) => words.test(text));
