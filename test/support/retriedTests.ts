// A reporter that lists the tests that passed only when they were repeated, so that a retry hides nothing.
import type { Reporter, TestModule } from 'vitest/node';

export class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests('passed')])) {
      if (!test.diagnostic()?.flaky) continue;
      const [first] = test.result().errors ?? [];
      console.log(`Passed only on a retry: ${test.module.relativeModuleId}, ${test.fullName}: ${first?.message ?? ''}`);
    }
  }
}
