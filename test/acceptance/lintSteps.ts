// Steps that run the linter.
import { expect } from 'vitest';
import type { Command } from './acceptance.ts';

/** The message can be a part of the real one. */
export type Finding = [severity: 'error' | 'warning' | 'info', rule: string, message: string];

/** `framework lint` reports exactly these findings in the folder's files. */
export function lints(files: Record<string, Finding[]> = {}): Command {
  const findings = Object.keys(files)
    .sort()
    .flatMap((file) => (files[file] ?? []).map((finding) => ({ file, finding })));
  return {
    run: 'lint --json',
    exit: findings.some(({ finding: [severity] }) => severity === 'error') ? 1 : 0,
    json: {
      findings: findings.map(({ file, finding: [severity, rule, message] }) => ({
        file,
        severity,
        rule,
        message: expect.stringContaining(message),
      })),
    },
  };
}
