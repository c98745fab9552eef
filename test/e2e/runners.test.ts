// The commands of docs/runners.md and of the files in deploy/chunks, with the variables that each runner sets. The machines of the
// runners are this one, and a folder is the job.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { RegoEngine, TemplateFile } from '@aws/cloudformation-validate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderVideo } from '../../sdk/renders.ts';
import { cliFile } from '../support/program.ts';
import { nodeProgram, program } from '../support/programs.ts';
import { composition, temporaryFolder, writeFiles } from '../support/project.ts';
import { repository } from '../support/repositoryFiles.ts';
import { needPrograms } from '../support/systemPrograms.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const docs = read('docs/runners.md');
const moving = `<style>@keyframes go { to { translate: 200px } }</style><p style="animation:go 1s linear">a</p>`;

/** A folder with the project `my-video`, the job `planned` of its two chunks, and the programs `framework` and `ssh`. */
const folder = mkdtempSync(join(tmpdir(), 'framework-runners-'));
const bin = join(folder, 'bin');
let local: Buffer;

beforeAll(async () => {
  const output = join(folder, 'local.mp4');
  writeFiles(folder, { 'my-video/index.html': composition(moving, { width: 320, height: 180, duration: 0.4 }) });
  nodeProgram(join(bin, 'framework'), `import(${JSON.stringify(cliFile)})`);
  // Another machine: without the folder and the variables of this one.
  program(join(bin, 'ssh'), `shift; cd / && exec env -i PATH="$PATH" HOME="$HOME" sh -c "$*"`);
  await renderVideo({ projectDir: join(folder, 'my-video'), output, chunkFrames: 6 });
  local = readFileSync(output);
  await run('framework chunks plan my-video --to planned --chunks 2');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in a shell. */
async function run(command: string, env: Record<string, string> = {}, cwd = folder): Promise<string> {
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const options = { cwd, env: { ...process.env, ...env, PATH } };
  return (await promisify(execFile)('sh', ['-c', command], options)).stdout;
}

/** A copy of the planned job. */
function plannedJob(): string {
  const job = join(temporaryFolder(), 'job');
  cpSync(join(folder, 'planned'), job, { recursive: true });
  return job;
}

async function joined(job: string): Promise<Buffer> {
  const video = join(temporaryFolder(), 'video.mp4');
  await run(`framework chunks join ${job} -o ${video}`);
  return readFileSync(video);
}

/** The command of the docs that contains a text, for two chunks of another job. */
function documented(text: string, job: string): string {
  const command = docs.split('\n').find((line) => line.includes(text)) ?? '';
  expect(command).toContain('seq 0 23');
  return command.replace('seq 0 23', 'seq 0 1').replace('/mnt/shared/job', job);
}

describe('GNU parallel', () => {
  beforeEach((context) => needPrograms(context, 'parallel'));

  test('renders the chunks', async () => {
    const job = plannedJob();
    await run(documented('parallel --jobs', job));
    expect((await joined(job)).equals(local)).toBe(true);
  });

  test('renders the chunks over ssh', async () => {
    const job = plannedJob();
    await run(documented('parallel --sshlogin', job), { PARALLEL_SSH: join(bin, 'ssh') });
    expect((await joined(job)).equals(local)).toBe(true);
  });
});

test('the pods of a Kubernetes Job render the chunks', async () => {
  const { spec } = parse(read('deploy/chunks/kubernetes.yaml')).spec.template;
  const { command, args, env } = spec.containers[0];
  expect(command).toEqual(['/usr/bin/tini', '--', 'sh', '-c']);
  const set = Object.fromEntries(env.map(({ name, value }: Record<string, string>) => [name, value]));
  const job = plannedJob();
  const pod = (JOB_COMPLETION_INDEX: string) => run(args[0], { ...set, JOB: job, JOB_COMPLETION_INDEX });
  await Promise.all([pod('0'), pod('1')]);
  expect((await joined(job)).equals(local)).toBe(true);
});

describe('AWS Batch', () => {
  const template = parse(read('deploy/chunks/aws-batch.yaml'));

  test('the jobs of an array render the chunks', async () => {
    const { Command, Environment } = template.Resources.Chunk.Properties.ContainerProperties;
    expect(Command.slice(0, 2)).toEqual(['sh', '-c']);
    const set = Object.fromEntries(Environment.map(({ Name, Value }: Record<string, string>) => [Name, Value]));
    const job = plannedJob();
    // The first job has no index if it is not part of an array.
    const indexes = [{}, { AWS_BATCH_JOB_ARRAY_INDEX: '1' }];
    await Promise.all(indexes.map((index) => run(Command[2], { ...set, JOB: job, ...index })));
    expect((await joined(job)).equals(local)).toBe(true);
  });

  test('the stack violates no rule, and its jobs have access to one prefix', () => {
    const path = join(temporaryFolder(), 'template.json');
    writeFileSync(path, JSON.stringify(template));
    const engine = new RegoEngine();
    const { diagnostics } = engine.validateStandard(new TemplateFile(path));
    engine.free();
    const severe = diagnostics.filter(({ severity }) => String(severity).toUpperCase() !== 'INFO');
    expect(severe.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    const [policy] = template.Resources.ChunkRole.Properties.Policies;
    expect(policy.PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        Resource: { 'Fn::Sub': 'arn:${AWS::Partition}:s3:::${Bucket}/${Prefix}/*' },
      },
      {
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: { 'Fn::Sub': 'arn:${AWS::Partition}:s3:::${Bucket}' },
        Condition: { StringLike: { 's3:prefix': { 'Fn::Sub': '${Prefix}/*' } } },
      },
    ]);
  });

  test('the documented command names what the stack has', () => {
    const { Queue, Chunk } = template.Resources;
    expect(docs).toContain(
      `--job-queue ${Queue.Properties.JobQueueName} --job-definition ${Chunk.Properties.JobDefinitionName} --array-properties size=24`,
    );
  });
});

test('the jobs of the GitHub workflow render the video', async () => {
  type Step = { run?: string; uses?: string; with?: Record<string, string>; env?: object };
  const { jobs } = parse(read('deploy/chunks/github-actions.yml')) as { jobs: Record<string, { steps: Step[] }> };
  const artifacts: Record<string, string> = {};
  /** Runs a job on a new machine. The artifacts are folders. Returns the outputs of its steps. */
  async function runJob(name: string, index = ''): Promise<string> {
    const machine = temporaryFolder();
    const at = (path = '') => join(machine, path);
    const outputs = at('outputs');
    writeFileSync(outputs, '');
    for (const { run: command, uses = '', with: given = {} } of jobs[name]?.steps ?? []) {
      const artifact = given.name?.replace('${{ matrix.index }}', index) ?? given.pattern ?? '';
      if (uses.startsWith('actions/checkout@')) cpSync(join(folder, 'my-video'), at('my-video'), { recursive: true });
      else if (uses.startsWith('actions/upload-artifact@')) artifacts[artifact] = at(given.path);
      else if (uses.startsWith('actions/download-artifact@'))
        for (const [stored, from] of Object.entries(artifacts))
          if (stored === artifact || (artifact === 'chunk-*' && stored.startsWith('chunk-')))
            cpSync(from, at(given.path), { recursive: true });
      if (command === undefined || command.startsWith('npm install')) continue;
      const env = { GITHUB_OUTPUT: outputs, INDEX: index };
      await run(command.replace('--chunks 8', '--chunks 2'), env, machine);
    }
    return readFileSync(outputs, 'utf8');
  }
  expect(await runJob('plan')).toBe('indexes=[0,1]\n');
  await Promise.all([runJob('render', '0'), runJob('render', '1')]);
  expect(Object.keys(artifacts).sort()).toEqual(['chunk-0', 'chunk-1', 'job']);
  await runJob('join');
  expect(readFileSync(artifacts.video ?? '').equals(local)).toBe(true);
});
