// The entry point in the extension host: runs all tests in order and writes their results to a file.
import { writeFile } from 'node:fs/promises';
import { addSecondFolder, cases, tidy } from './cases.ts';

/** `note`: a measurement of the test, which is printed. */
export type HostResult = { name: string; error?: string; ms: number; note?: string };

export async function run(): Promise<void> {
  await addSecondFolder();
  const results: HostResult[] = [];
  for (const [name, test] of Object.entries(cases)) {
    const started = Date.now();
    const result: HostResult = { name, ms: 0 };
    try {
      const note = await test();
      if (typeof note === 'string') result.note = note;
    } catch (error) {
      result.error = described(error);
    }
    result.ms = Date.now() - started;
    // Reported, because an error here would end the run without any results.
    await tidy().catch((error) => {
      result.error ??= `tidying: ${described(error)}`;
    });
    results.push(result);
  }
  await writeFile(process.env.FRAMEWORK_TEST_RESULTS ?? '', JSON.stringify(results));
}

function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
