// Invariants of the linter: any text can be linted, every place lies in its file, and a fix that is applied mends its finding.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyFixes } from '../../../renderer-core/lint/applyFixes.ts';
import type { Finding, Fix } from '../../../renderer-core/lint/finding.ts';
import { rules } from '../../../renderer-core/lint/ruleTable.ts';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import { mutationsOf } from '../../support/editor/mutations.ts';
import { lint } from './lint.ts';

const card = `<div data-composition-id="card" data-composition-variables='[{"id":"name","type":"string","label":"Name","default":"Ada"},
{"id":"size","type":"enum","label":"Size","default":"s","options":[{"value":"s","label":"S"}]},{"id":"n","type":"number","label":"N","default":1}]'>
<p data-var-text="name"></p><script>const { n } = __framework.getVariables(); use(n)</script></div>`;

/** Something for nearly every rule. */
const sample = `<!doctype html><!-- framework-ignore-file wall-clok, unused-variable: x --><html data-composition-variables='[{"id":"title","type":"string","default":"Hi"},
{"id":"look","type":"enum","label":"Look","options":["a",{"value":"b"}],"default":"c"},{"id":"bad","type":"object"},{"id":"n","type":"number","label":"N","default":"5","min":3},
{"id":"tint","type":"colour","label":"Tint","default":"#abc"},{"id":"title","type":"string"},{"type":"string","label":"Sub title"},7,{"id":"m","type":"number","label":"M","default":5,"max":3,"mim":1,"step":"2"}]'>\r\n<head>
<link rel="stylesheet" href="nowhere.css"><style>p{background:url(assets/foto.png);color:var(--title)}</style></head><body>
<div id="root" data-composition-id="main" data-width="1920px" data-height="1080" data-fps="30" data-duration="5s" data-start="1">
<h1 id="a" data-start="0" data-duration="2" data-track-index="0" data-var-text="titel">Hi &amp; bye</h1><p data-start="b - 1" data-track-index="0" data-duration="1">x
<i data-start="a-1" data-duration="500ms" data-track-index="0"></i><i data-start="0.5" data-duration="1" data-track-index=0></i>
<img src=assets/foto.png data-color-grading="{&quot;preset&quot;:&quot;$lok&quot;,&quot;intensity&quot;:2}">
<div data-composition-src="crad.html"></div>
<div data-composition-src="card.html" data-variable-values='{"nmae":"O&#39;Brien","name":5,"size":"x","n":"7","n":"8"}' data-start="9"></div>
<div data-composition-src="card.html" data-variable-values="{&quot;Name&quot;:&quot;a &amp;amp; b&quot;}"></div>
<script>const vars = window.__framework.getVariables(); use(vars.titel, vars['look'], Math.random(), new Date());
const { title = 'Hello', nn: other = 3 } = getVariables(); fetch('https://example.com')</script>
<script type="module">const { title } = getVariables()</script></div></body></html>`;

const others = { 'card.html': card, 'assets/photo.png': '' };
const textsOf = (text: string) => new Map(Object.entries({ 'index.html': text, ...others }));

function placesOf(finding: Finding) {
  const fixes = finding.fixes.flatMap((fix) =>
    fix.edits.flatMap(({ file, edits }) => edits.map(({ span }) => ({ file, span }))),
  );
  return [{ file: finding.file, span: finding.span }, ...finding.related, ...fixes];
}

function check(text: string): Finding[] {
  const texts = textsOf(text);
  const findings = lint(texts, 'index.html');
  for (const finding of findings) {
    for (const { file, span } of placesOf(finding)) {
      expect(0 <= span.start && span.start <= span.end && span.end <= (texts.get(file)?.length ?? -1)).toBe(true);
    }
    expect(finding.message).toMatch(/\S/);
    for (const fix of finding.fixes) for (const { edits } of fix.edits) expectOrdered(edits.map(({ span }) => span));
  }
  const starts = findings.map(({ span }) => span.start);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  return findings;
}

function expectOrdered(spans: readonly { start: number; end: number }[]): void {
  for (const [index, span] of spans.entries()) expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
}

test('triggers most rules with the sample', () => {
  const found = new Set(check(sample).map(({ rule }) => rule));
  expect(found.size).toBeGreaterThan(25);
});

test('checks every truncation of the sample', () => {
  for (let length = 0; length <= sample.length; length += 3) check(sample.slice(0, length));
});

const mutations = mutationsOf(sample, 5);

test('checks any mutation of the sample, and any text', () => {
  fc.assert(
    fc.property(mutations, (text) => void check(text)),
    { numRuns: 300 },
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void check(`<p data-composition-id="m">${text}`)));
});

test('checks extremely large files', () => {
  check(`<div data-composition-id="m">${'a b '.repeat(500_000)}`);
  check(`<div data-composition-id="m"><script>getVariables()${'['.repeat(20_000)}</script>`);
  check(`<div data-composition-id="m"><script>x = getVariables().a${' + Math.random()'.repeat(5_000)}</script>`);
  check(
    `<div data-composition-id="m">${'<p id="x" data-start="x + 1" data-duration="1" data-track-index="0">'.repeat(500)}`,
  );
  check(`<div data-composition-id="m"><style>${'p{color:var(--a)'.repeat(20_000)}</style>`);
  for (const list of ['a '.repeat(2_000_000), '"a",'.repeat(500_000), 'a,'.repeat(200_000), '('.repeat(100_000)])
    check(`<div data-composition-id="m"><style>p{font-family:${list}</style><p style='--a:${list}'>`);
  check(`<div data-composition-id="m"><style>${'@font-face{src:url(https://a/b);'.repeat(20_000)}</style>`);
  check(`<div data-composition-id="m"><style>${'@import "'.repeat(20_000)}</style>`);
  check(`<div data-composition-id="m">${'𞤀 <b></b></i>'.repeat(50_000)}`);
  check(`<div data-composition-id="m">${'𞤀<!--'.repeat(100_000)}`);
  for (const content of ['content:"', "content:'\\", 'content:/*'])
    check(`<div data-composition-id="m"><style>${content.repeat(50_000)}𞤀</style>`);
});

/** What a finding is about, whatever else moves: its rule and the words of its message. */
const keyOf = ({ rule, message }: Finding): string => `${rule} ${message}`;

/** The fix mends what it is for: one finding with those words fewer, and the text is no worse to read. */
function checkFix(text: string, finding: Finding, fix: Fix): void {
  const { texts, skipped } = applyFixes(textsOf(text), [fix]);
  expect(skipped).toEqual([]);
  const after = texts.get('index.html') ?? text;
  const now = lint(new Map([...textsOf(after), ...texts]), 'index.html');
  const count = (list: readonly Finding[]) => list.filter((each) => keyOf(each) === keyOf(finding)).length;
  const what = `${fix.title} for ${keyOf(finding)}`;
  expect(`${what}: ${count(now)} left`).toBe(`${what}: ${count(check(text)) - 1} left`);
  const broken = (source: string) =>
    parseComposition(source).problems.filter(({ code }) => code === 'invalid-json' || code === 'invalid-declarations')
      .length;
  expect(broken(after)).toBeLessThanOrEqual(broken(text));
}

test('applies every fix of the sample', () => {
  const findings = check(sample);
  const fixes = findings.flatMap((finding) => finding.fixes.map((fix) => ({ finding, fix })));
  for (const { finding, fix } of fixes) checkFix(sample, finding, fix);
  expect(fixes.length).toBeGreaterThan(40);
});

test('applies safe fixes repeatedly until none is left', () => {
  fc.assert(
    fc.property(mutations, (text) => {
      let texts = textsOf(text);
      let findings: Finding[] = [];
      for (let round = 0; round < 10; round++) {
        findings = lint(texts, 'index.html');
        const safe = findings.flatMap(({ fixes }) => fixes.find(({ isSafe }) => isSafe) ?? []);
        const applied = applyFixes(texts, safe);
        if (applied.texts.size === 0) break;
        texts = new Map([...texts, ...applied.texts]);
      }
      expect(findings.filter(({ fixes }) => fixes.some(({ isSafe }) => isSafe)).map(keyOf)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('runs all rules on the sample without a duplicate finding', () => {
  const findings = check(sample).map(({ rule, span, message }) => `${rule} ${span.start} ${span.end} ${message}`);
  expect(new Set(findings).size).toBe(findings.length);
  expect(rules.length).toBeGreaterThan(50);
});
