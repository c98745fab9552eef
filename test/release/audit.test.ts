// What CI decides about the output of `npm audit --json`.
import { expect, test } from 'vitest';
import { auditResult } from '../../scripts/audit.ts';

const folders = new Set(['node_modules/undici', 'node_modules/koa']);

const advisory = (severity: string) => ({
  source: 1,
  name: 'undici',
  title: 'Sends headers to other hosts',
  url: 'https://example.com/GHSA-1',
  severity,
  range: '<7.30.0',
});

/** A report in the form of npm 11. */
const report = (vulnerabilities: object) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { dependencies: { total: 576 } } });

test('passes without vulnerabilities', () => {
  expect(auditResult(report({}), folders)).toEqual({
    hasFailed: false,
    lines: ['audit: 0 of severity high or critical, 0 lower, in 2 packages'],
  });
});

test.each(['high', 'critical'])('fails for a package of a release with a vulnerability of severity %s', (severity) => {
  const undici = { name: 'undici', severity, via: [advisory(severity)], nodes: ['node_modules/undici'] };
  expect(auditResult(report({ undici }), folders)).toEqual({
    hasFailed: true,
    lines: [
      `audit: undici (${severity}): Sends headers to other hosts, https://example.com/GHSA-1`,
      'audit: 1 of severity high or critical, 0 lower, in 2 packages',
    ],
  });
});

test('passes if the severity is lower, and says how many there are', () => {
  const undici = {
    name: 'undici',
    severity: 'moderate',
    via: [advisory('moderate'), advisory('low')],
    nodes: ['node_modules/undici'],
  };
  expect(auditResult(report({ undici }), folders)).toEqual({
    hasFailed: false,
    lines: ['audit: 0 of severity high or critical, 2 lower, in 2 packages'],
  });
});

test('ignores packages that are not in a release, and the packages that need them', () => {
  const vitest = {
    name: 'undici',
    severity: 'high',
    via: [advisory('high')],
    nodes: ['node_modules/vitest/node_modules/undici'],
  };
  const koa = { name: 'koa', severity: 'high', via: ['undici'], nodes: ['node_modules/koa'] };
  expect(auditResult(report({ undici: vitest, koa }), folders)).toEqual({
    hasFailed: false,
    lines: ['audit: 0 of severity high or critical, 0 lower, in 2 packages'],
  });
});

test.each([
  [
    'a registry without audits',
    '{"message":"405 Method Not Allowed - POST https://registry.example/advisories","error":{"summary":"","detail":""}}',
    '405 Method Not Allowed - POST https://registry.example/advisories',
  ],
  [
    'no connection',
    '{"error":{"code":"ENOTFOUND","summary":"getaddrinfo ENOTFOUND registry.example"}}',
    'getaddrinfo ENOTFOUND registry.example',
  ],
  ['no output', '', 'no report'],
])('says for %s that nothing was checked', (_what, printed, reason) => {
  expect(auditResult(printed, folders)).toEqual({
    hasFailed: false,
    lines: [`audit: not checked, because the registry did not answer: ${reason}`],
  });
});
