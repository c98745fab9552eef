// npm run bench:lint: duration of linting a folder of 1,000 compositions, and single large files after each keystroke.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintFile } from '../../../renderer-core/lint/lintFile.ts';
import { createProject } from '../../../renderer-core/lint/project.ts';
import { defaultSettings } from '../../../renderer-core/lint/settings.ts';
import { lintProject } from '../../../renderer-core/lintProject.ts';

const files = 1000;
const runs = 40;

await main();

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-lint-'));
  try {
    await writeProject(folder);
    const started = performance.now();
    const before = cpuMs();
    const { counts, files: linted } = await lintProject(folder);
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `${linted} compositions in ${seconds.toFixed(2)} s (CPU ${((cpuMs() - before) / 1000).toFixed(2)} s)`,
      counts,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const kilobytes of [10, 100, 1000]) {
    measure(kilobytes, 'text', (source, run) => source.replace('Some text', `Some text ${run}`));
    measure(kilobytes, 'script', (source, run) => source.replace('paused: true', `paused: true, x: ${run}`));
  }
}

async function writeProject(folder: string): Promise<void> {
  await mkdir(join(folder, 'compositions'));
  const hosts = Array.from(
    { length: files - 1 },
    (_, index) =>
      `<div data-composition-src="compositions/card-${index}.html" data-start="${index}" data-duration="1" data-variable-values='{"title":"${index}","size":12}'></div>`,
  );
  await writeFile(join(folder, 'index.html'), composition(1, hosts.join('\n')));
  for (let index = 0; index < files - 1; index++) {
    await writeFile(join(folder, 'compositions', `card-${index}.html`), composition(8));
  }
}

/** A composition of about this many kilobytes with realistic proportions of clips, styles, scripts and variables. */
function composition(kilobytes: number, inside = ''): string {
  const clip = (index: number) => `
<div class="clip row-${index}" id="c${index}" data-start="${index === 0 ? '0' : `c${index - 1}`}" data-duration="0.5" data-track-index="${index % 4}">
  <p data-var-text="title" style="color: var(--accent)">Some text &amp; more of it, as people write it</p><img src="https://example.com/${index}.png">
</div>`;
  const code = (index: number) => `
    tl.fromTo('#c${index} p', { opacity: 0, y: ${index} }, { opacity: 1, y: 0, duration: 0.4, ease: 'power2.out' }, ${index / 2});
    function step${index}(state, value) { return state.items.map((item) => ({ ...item, x: item.x * value + size, label: \`#\${item.id}\` })); }`;
  const rule = (index: number) => `
    .row-${index} { position: absolute; left: ${index}px; background: linear-gradient(90deg, var(--accent), #000); }`;
  const repeat = (part: (index: number) => string, bytes: number) =>
    Array.from({ length: Math.max(1, Math.round(bytes / part(100).length)) }, (_, index) => part(index)).join('');
  const bytes = kilobytes * 1000;
  return `<!doctype html>
<html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hi"},{"id":"accent","type":"color","label":"Accent","default":"#ff5500"},{"id":"size","type":"number","label":"Size","default":12}]'>
<head><style>${repeat(rule, bytes * 0.2)}</style></head>
<body><div data-composition-id="main" data-width="1920" data-height="1080" data-duration="3600">
${inside}${repeat(clip, bytes * 0.5)}
<script>
  const { title = 'Hi', accent = '#ff5500', size = 12 } = window.__framework.getVariables();
  const tl = gsap.timeline({ paused: true });${repeat(code, bytes * 0.3)}
</script></div></body></html>`;
}

/** Measures the time from a changed text to its findings, as after a keystroke. */
function measure(kilobytes: number, what: string, type: (text: string, run: number) => string): void {
  const text = composition(kilobytes);
  const parsed: number[] = [];
  const linted: number[] = [];
  const cpu: number[] = [];
  for (let run = 0; run < runs; run++) {
    const project = createProject();
    project.set('index.html', type(text, run));
    const before = cpuMs();
    const started = performance.now();
    project.composition('index.html');
    const between = performance.now();
    lintFile(project, 'index.html', defaultSettings);
    parsed.push(between - started);
    linted.push(performance.now() - between);
    cpu.push(cpuMs() - before);
  }
  const both = parsed.map((time, run) => time + (linted[run] ?? 0));
  const show = (name: string, times: number[]) => `${name} p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`;
  console.log(
    `${Math.round(text.length / 1000)} KB, typing in ${what}: ${show('parse', parsed)}; ${show('lint', linted)}; ${show('both', both)}; ${show('CPU', cpu)}`,
  );
}

/** CPU time of the process including garbage collection, which does not depend on the machine's load. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function at(times: readonly number[], part: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
}
