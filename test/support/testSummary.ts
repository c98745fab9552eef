// A reporter for the end of a CI log: it writes the counts, the failed tests and the errors outside tests to a file. A
// second file, `<name>.repeat.txt`, lists the files with failures that a busy machine can cause, so that CI can run them
// again.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

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
    const outside = unhandled.map(({ message, stack }) => `  ERROR outside tests: ${message}\n${stack ?? ''}`);
    mkdirSync(dirname(this.file), { recursive: true });
    const lines = [...modules.flatMap(failureLines), ...modules.flatMap(unfinishedLines), ...outside];
    writeFileSync(this.file, [counts.join(', '), ...lines, ''].join('\n'));
    const repeated = filesToRepeat(modules, unhandled.length).map((name) => `${name}\n`);
    writeFileSync(this.file.replace(/\.txt$/, '.repeat.txt'), repeated.join(''));
  }
}

/** Errors of a file, of its hooks and of its tests. */
function failureLines(module: TestModule): string[] {
  return [
    ...[module, ...module.children.allSuites()].flatMap((one) =>
      one.errors().map(({ message }) => `  FAIL ${[module.relativeModuleId, ...suiteName(one), message].join(': ')}`),
    ),
    ...[...module.children.allTests('failed')].map((test) =>
      [
        `  FAIL ${module.relativeModuleId}: ${test.fullName}`,
        ...(test.result().errors ?? []).map(({ message, stacks }) => `    ${message} ${placeOf(stacks)}`),
      ].join('\n'),
    ),
  ];
}

const suiteName = (one: TestModule | TestSuite): string[] => (one.type === 'suite' ? [one.fullName] : []);

const unfinishedTests = ({ children }: TestModule): TestCase[] => [...children.allTests('pending')];

const isUnfinished = (module: TestModule): boolean =>
  /^(?:pending|queued)$/.test(module.state()) || unfinishedTests(module).length > 0;

/** A process that ends unexpectedly names neither its file nor its test. */
const unfinishedLines = (module: TestModule): string[] =>
  isUnfinished(module)
    ? [`  NOT FINISHED ${module.relativeModuleId}`, ...unfinishedTests(module).map(({ fullName }) => `    ${fullName}`)]
    : [];

/**
 * Files whose process ended, and files in which only tests failed that may be retried, so never a property test. Empty
 * if anything else failed.
 */
function filesToRepeat(modules: readonly TestModule[], errorsOutside: number): string[] {
  const failed = modules.filter((module) => isUnfinished(module) || failureLines(module).length > 0);
  const mayRepeat = (module: TestModule): boolean =>
    isUnfinished(module) ||
    (Number(module.project.config.retry) > 0 &&
      [...module.children.allTests('failed')].every(({ options }) => Number(options.retry) > 0));
  const isExplained = errorsOutside <= failed.filter(isUnfinished).length;
  return isExplained && failed.every(mayRepeat) ? failed.map(({ relativeModuleId }) => relativeModuleId) : [];
}
