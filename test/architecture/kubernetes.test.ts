// The manifests in deploy/ have the fields of the Kubernetes API, and agree with the service, its image and each other.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { serveCommands } from '../../cli/commands/serve/serveCommands.ts';
import { createMetrics } from '../../cloud/service/metrics.ts';
import { temporaryFolder } from '../support/project.ts';
import { repository } from '../support/repositoryFiles.ts';
import { readContainerfile } from '../support/service/containerfile.ts';
import { serviceDatabase } from '../support/service/serviceDatabase.ts';

// biome-ignore lint/suspicious/noExplicitAny: the types of all kinds are checked by the first test.
type Manifest = { apiVersion: string; kind: string; metadata: { name: string } } & Record<string, any>;

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const manifestsIn = (path: string): Manifest[] => parseAllDocuments(read(path)).map((one) => one.toJS());

const { resources, images } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
  resources: string[];
  images: { name: string }[];
};
const service = resources.flatMap((file) => manifestsIn(`deploy/kubernetes/${file}`));
const chunks = manifestsIn('deploy/chunks/kubernetes.yaml');
const named = (kind: string, name: string): Manifest =>
  service.find((one) => one.kind === kind && one.metadata.name === name) as Manifest;

/** What TypeScript says about these objects as literals of their types. */
function problemsOf(manifests: readonly unknown[]): string[] {
  const folder = temporaryFolder();
  const types = join(repository, 'node_modules/kubernetes-types');
  const lines = (manifests as Manifest[]).map((manifest, index) => {
    const group = manifest.apiVersion.includes('/') ? manifest.apiVersion : `core/${manifest.apiVersion}`;
    return `export const a${index}: import('${types}/${group}').${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
  const options =
    '--noEmit --skipLibCheck --ignoreConfig --lib es2022 --module esnext --moduleResolution bundler --pretty false';
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, ...options.split(' '), 'manifests.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout.split('\n').flatMap((line) => /error TS\d+: (.*)/.exec(line)?.[1] ?? []);
}

test('have only fields of the Kubernetes API, with values of their types', () => {
  expect(service.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Namespace framework',
    'ConfigMap framework',
    'Deployment api',
    'Service api',
    'PodDisruptionBudget api',
    'Deployment workers',
    'HorizontalPodAutoscaler workers',
  ]);
  expect(problemsOf([...service, ...chunks])).toEqual([]);
});

test('a manifest with an unknown field, or a value of another type, is a problem', () => {
  const job = (spec: object) => ({ apiVersion: 'batch/v1', kind: 'Job', spec: { template: {}, ...spec } });
  expect(problemsOf([job({ completion: 3 }), job({ completions: '3' })])).toEqual([
    `Object literal may only specify known properties, and '"completion"' does not exist in type 'JobSpec'.`,
    "Type 'string' is not assignable to type 'number'.",
  ]);
});

const image = readContainerfile(read('deploy/Containerfile'));
const podOf = (one: Manifest) => one.spec.template.spec;
const containerOf = (one: Manifest) => podOf(one).containers[0];
const pods = [named('Deployment', 'api'), named('Deployment', 'workers'), ...chunks];

test.each(
  pods.map((one) => [one.kind, one.metadata.name, one] as const),
)('the pods of %s %s have no rights', (_, __, one) => {
  expect(podOf(one)).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
  // Kubernetes can only check the number of a user.
  expect(image.user).toBe('10001:10001');
  const { securityContext, volumeMounts, resources: limits } = containerOf(one);
  expect(securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  // Nothing else can be written.
  const names = volumeMounts.map(({ name }: { name: string }) => name);
  expect(podOf(one).volumes.map(({ name, emptyDir }: Manifest) => [name, typeof emptyDir.sizeLimit])).toEqual(
    names.map((name: string) => [name, 'string']),
  );
  expect(limits).toMatchObject({ requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } });
});

describe.each(['api', 'workers'])('the service: %s', (name) => {
  const deployment = named('Deployment', name);
  const { args, envFrom, livenessProbe, readinessProbe, image: used, volumeMounts } = containerOf(deployment);

  test('has options that the command has, its data folder, and an image that kustomize replaces', () => {
    const options = new Set(serveCommands.find((one) => one.name === 'serve')?.options.map((one) => `--${one.name}`));
    const own = args.filter((arg: string) => arg.startsWith('--'));
    expect(own.filter((arg: string) => !options.has(arg))).toEqual([]);
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: image.env.HOME });
    expect(images.map((one) => one.name)).toEqual([used]);
    expect(envFrom).toEqual([{ configMapRef: { name: 'framework' } }, { secretRef: { name: 'framework' } }]);
  });

  test('is stopped later than renders are drained', () => {
    const drain = Number(args[args.indexOf('--drain-seconds') + 1]);
    expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 30);
  });

  test('is asked for its health where it answers', () => {
    const app = read('cloud/service/api/app.ts');
    for (const { httpGet } of [livenessProbe, readinessProbe]) expect(app).toContain(`app.get('${httpGet.path}'`);
    expect(deployment.spec.selector.matchLabels).toEqual(deployment.spec.template.metadata.labels);
  });
});

test('all pods have the settings that they must share, and only workers render', () => {
  const argsOf = (name: string): string[] => containerOf(named('Deployment', name)).args;
  const value = (name: string, option: string) => argsOf(name)[argsOf(name).indexOf(option) + 1];
  expect(value('api', '--public-url')).toBe(value('workers', '--public-url'));
  expect([value('api', '--workers'), value('workers', '--workers')]).toEqual(['0', '1']);
  expect(named('Service', 'api').spec.selector).toEqual(named('Deployment', 'api').spec.selector.matchLabels);
});

test('workers scale with a metric that the adapter makes of one that the service has', async () => {
  const { spec } = named('HorizontalPodAutoscaler', 'workers');
  expect(spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: 'workers' });
  const [, block = ''] = /```yaml\n(.*?)```/s.exec(read('docs/kubernetes.md')) ?? [];
  const [rule] = parse(block) as [{ seriesQuery: string; name: { as: string }; metricsQuery: string }];
  expect(rule.name.as).toBe(spec.metrics[0].external.metric.name);
  expect(rule.metricsQuery).toContain(`(${rule.seriesQuery})`);
  const metrics = createMetrics({
    database: await serviceDatabase(),
    workers: 1,
    freeBytes: async () => 1,
    now: () => 0,
  });
  expect(await metrics.text()).toContain(`${rule.seriesQuery}{status="queued"} 0`);
});

test('the example of a job has the index of Kubernetes, and tries each chunk again', () => {
  expect(chunks.map(({ spec }) => spec)).toEqual([
    expect.objectContaining({ completionMode: 'Indexed', completions: 24, parallelism: 24, backoffLimitPerIndex: 3 }),
  ]);
  expect(containerOf(chunks[0] as Manifest).args.join()).toContain('--index "$JOB_COMPLETION_INDEX"');
});
