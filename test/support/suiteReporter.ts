// The reporter of the suites: failures, and one line of counts at the end. A test that takes longer than the others must be in
// the list of slow tests (slowTests.ts), with the reason.
import { createHash } from 'node:crypto';
import type { TestCase, TestModule, TestResult } from 'vitest/node';
import { MinimalReporter } from 'vitest/node';
import { slowTests } from './slowTests.ts';

/**
 * In milliseconds. Tests may take two seconds on a quiet machine with two cores. The rest is for noise; the limit is higher on
 * machines that are slower or have other work.
 */
const limit = 12_000;

/** How long the work of `slowness` takes on a quiet machine, in milliseconds. */
const usualMs = 90;

/** How much slower than usual this machine is now; at least 1. */
function slowness(): number {
  const start = performance.now();
  let digest = Buffer.alloc(32);
  for (let round = 0; round < 60_000; round++) digest = createHash('sha256').update(digest).digest();
  return Math.max(1, (performance.now() - start) / usualMs);
}

export class SuiteReporter extends MinimalReporter {
  #modules: readonly TestModule[] = [];

  override onTestRunEnd(...given: Parameters<MinimalReporter['onTestRunEnd']>): void {
    [this.#modules] = given;
    super.onTestRunEnd(...given);
  }

  /** Replaces several lines of Vitest. */
  override reportTestSummary(_files: unknown, errors: unknown[]): void {
    const tests = this.#modules.flatMap(({ children }) => [...children.allTests()]);
    const slowest = tests.some((test) => durationOf(test) > limit) ? limit * slowness() : limit;
    const tooSlow = tests.filter((test) => durationOf(test) > slowest && !isListed(test));
    for (const test of tooSlow)
      this.log(
        `SLOW ${test.module.relativeModuleId}: ${test.fullName} took ${(durationOf(test) / 1000).toFixed(1)} s. ` +
          'Make it faster, or add it to test/support/slowTests.ts with the reason.',
      );
    if (tooSlow.length > 0) process.exitCode = 1;
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const counts = [`${count('passed')} passed`, `${count('failed')} failed`];
    if (tooSlow.length > 0) counts.push(`${tooSlow.length} too slow`);
    // Tests of other suites are neither run nor counted.
    const skipped = tests.filter((test) => isSkippedHere(test.result())).length;
    if (skipped > 0) counts.push(`${skipped} skipped`);
    if (errors.length > 0) counts.push(`${errors.length} errors outside tests`);
    this.log(`${counts.join(', ')} in ${Math.round((this.end - this.start) / 1000)} s`);
  }
}

const isSkippedHere = (result: TestResult): boolean => result.state === 'skipped' && result.note !== undefined;

const durationOf = (test: TestCase): number => test.diagnostic()?.duration ?? 0;

const isListed = (test: TestCase): boolean =>
  Object.keys(slowTests).some((name) => `${test.module.relativeModuleId}: ${test.fullName}`.startsWith(name));
