// A reporter that writes the counts, the failed tests and the errors outside tests to a file, for the end of a CI log.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

type Failure = { message: string; stack?: string };

/** The place in a test where an error was thrown: "test/a.test.ts:12". */
const placeOf = (stacks: readonly { file: string; line: number }[] = []) =>
  stacks[0] ? `(${relative('.', stacks[0].file)}:${stacks[0].line})` : '';

export class TestSummary implements Reporter {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const counts = (['passed', 'failed', 'skipped'] as const).map(
      (state) => `${modules.reduce((sum, { children }) => sum + [...children.allTests(state)].length, 0)} ${state}`,
    );
    const failed = modules.flatMap((module) => [
      ...module.errors().map(({ message }) => `  FAIL ${module.relativeModuleId}: ${message}`),
      ...[...module.children.allTests('failed')].map((test) =>
        [
          `  FAIL ${module.relativeModuleId}: ${test.fullName}`,
          ...(test.result().errors ?? []).map(({ message, stacks }) => `    ${message} ${placeOf(stacks)}`),
        ].join('\n'),
      ),
    ]);
    // A process that ends unexpectedly names neither its file nor its test.
    const unfinished = modules.flatMap((module) => {
      const names = [...module.children.allTests('pending')].map(({ fullName }) => `    ${fullName}`);
      const hasEnded = module.state() !== 'pending' && module.state() !== 'queued';
      return hasEnded && names.length === 0 ? [] : [[`  NOT FINISHED ${module.relativeModuleId}`, ...names].join('\n')];
    });
    const outside = unhandled.map(({ message, stack }) => `  ERROR outside tests: ${message}\n${stack ?? ''}`);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, [counts.join(', '), ...failed, ...unfinished, ...outside, ''].join('\n'));
  }
}
