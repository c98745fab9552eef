// A reporter that writes the counts, the failed tests and the errors outside tests to a file, for the end of a CI log.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

type Failure = { message: string; stack?: string };

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
      ...[...module.children.allTests('failed')].map((test) => `  FAIL ${module.relativeModuleId}: ${test.fullName}`),
    ]);
    const outside = unhandled.map(({ message, stack }) => `  ERROR outside tests: ${message}\n${stack ?? ''}`);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, [counts.join(', '), ...failed, ...outside, ''].join('\n'));
  }
}
