// The image of the hosted service, built and run as docs/operations.md says. A machine whose containers need other settings, such
// as another runtime, names them in the file of CONTAINERS_CONF.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { Diagnosis } from '../../renderer-core/doctor/diagnosis.ts';
import { packedCli } from '../acceptance/packedCli.ts';
import { composition, project, temporaryFolder } from '../support/project.ts';
import { decode } from '../support/renders/video.ts';
import { repository } from '../support/repositoryFiles.ts';
import { podmanRun, readContainerfile } from '../support/service/containerfile.ts';
import { isInPath } from '../support/systemPrograms.ts';

const image = `framework-test-${process.pid}`;
const data = '/var/lib/framework';
const options = [...podmanRun, `--volume=${image}:${data}`, '--network=host'];

const podman = (args: string[], input = ''): string =>
  execFileSync('podman', args, { cwd: repository, input, encoding: 'utf8', maxBuffer: 1 << 26 });

/** What a program prints in a container of the image. */
const inImage = (program: string, args: string[], input?: string): string =>
  podman(['run', '--rm', '--interactive', ...options, '--entrypoint', program, image, ...args], input);

/** Where the registry of the base image is out of reach, the same packages come from Debian. */
function fetchBase(base: string): void {
  try {
    podman(['pull', base]);
  } catch (error) {
    const suite = /debian:([a-z]+)-slim/.exec(base)?.[1];
    if (suite === undefined || !isInPath('mmdebstrap')) throw error;
    const tree = join(temporaryFolder(), 'base.tar');
    execFileSync('mmdebstrap', ['--variant=minbase', suite, tree], { stdio: 'ignore' });
    podman(['import', tree, `docker.io/library/${base}`]);
  }
}

function build(): void {
  const context = temporaryFolder();
  const packed = dirname(dirname(dirname(packedCli)));
  const archive = readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? '';
  cpSync(join(packed, archive), join(context, archive));
  cpSync(join(repository, 'deploy'), join(context, 'deploy'), { recursive: true });
  // A network that inspects TLS has its own certificate authority.
  const authority = process.env.NODE_EXTRA_CA_CERTS;
  const trust = authority ? [`--volume=${authority}:/usr/local/share/ca-certificates/authority.crt:ro`] : [];
  const file = join(context, 'deploy/Containerfile');
  podman(['build', '--network=host', '--format=docker', ...trust, `--file=${file}`, `--tag=${image}`, context]);
}

/** Starts the service in a container. `stop` sends SIGTERM to it and returns its exit status. */
async function start(): Promise<{ url: string; stop: () => Promise<unknown[]> }> {
  const port = await freePort();
  const container = `${image}-service`;
  const args = ['run', '--rm', '--name', container, ...options, image, '--port', String(port)];
  const child = spawn('podman', args, { cwd: repository, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void podman(['rm', '--force', '--ignore', container]));
  let log = '';
  child.stderr.on('data', (text) => (log += text));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The service ended:\n${log}`);
    await sleep(200);
  }
  expect(log).not.toContain('renders are not isolated');
  return {
    url,
    async stop() {
      podman(['kill', '--signal', 'TERM', container]);
      return exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The results of the checks by their names. */
function doctor(): Record<string, string> {
  const { rows } = JSON.parse(inImage('framework', ['doctor', '--service', '--json'])) as Diagnosis;
  return Object.fromEntries(rows.map(({ name, status, value }) => [name, `${status}: ${value}`]));
}

/** Plans a job of one chunk, renders it as a pod of the Kubernetes example does, and returns its status. */
function chunkInPod(): unknown {
  const { command, args, env } = parse(readFileSync(join(repository, 'deploy/chunks/kubernetes.yaml'), 'utf8')).spec
    .template.spec.containers[0];
  const job = `${data}/job`;
  const set = Object.fromEntries(env.map(({ name, value }: Record<string, string>) => [name, value]));
  const given = Object.entries({ ...set, JOB: job, JOB_COMPLETION_INDEX: '0' }).map(
    (pair) => `--env=${pair.join('=')}`,
  );
  inImage('sh', ['-c', `mkdir ${data}/card && cat > ${data}/card/index.html`], card);
  inImage('framework', ['chunks', 'plan', `${data}/card`, '--to', job]);
  const restricted = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'];
  const volume = `--volume=${image}:${data}`;
  podman([
    'run',
    '--rm',
    ...restricted,
    volume,
    ...given,
    '--entrypoint',
    command[0],
    image,
    ...command.slice(1),
    ...args,
  ]);
  return JSON.parse(inImage('framework', ['chunks', 'status', job, '--json']));
}

const card = composition('<p style="color: #fff; font: 40px sans-serif">In a container</p>', {
  width: 320,
  height: 180,
  duration: 0.2,
});

test.skipIf(!isInPath('podman'))(
  'the image isolates renders, has a recent browser, and renders a video',
  async () => {
    const { base, user } = readContainerfile(readFileSync(join(repository, 'deploy/Containerfile'), 'utf8'));
    fetchBase(base);
    build();
    onTestFinished(() => void podman(['rmi', '--force', image]));
    onTestFinished(() => void podman(['volume', 'rm', '--force', image]));
    expect(inImage('sh', ['-c', 'echo "$(id -u):$(id -g)"; touch /usr/written 2>&1 || true'])).toBe(
      `${user}\ntouch: cannot touch '/usr/written': Read-only file system\n`,
    );
    expect(doctor()).toMatchObject({
      browser: expect.stringMatching(/^ok: .*, \/usr\/lib\/chromium\/chromium-headless-shell /),
      'browser age': expect.stringMatching(/^ok: /),
      ffmpeg: expect.stringMatching(/^ok: /),
      isolation: expect.stringMatching(/^ok: /),
      user: 'ok: not root',
    });

    expect(chunkInPod()).toMatchObject({ done: 1, total: 1, framesDone: 6 });

    const { url, stop } = await start();
    const account = ['--email', 'ann@example.com', '--data', data];
    inImage('framework', ['serve', 'account', 'add', ...account], 'correct-horse-battery\n');
    const { key } = JSON.parse(inImage('framework', ['serve', 'key', 'add', ...account, '--json']));
    const folder = project(card);
    const video = join(folder, 'video.mp4');
    execFileSync(process.execPath, [packedCli, 'cloud', 'render', folder, '--output', video], {
      env: { ...process.env, SERVICE_API_URL: url, SERVICE_API_KEY: key },
    });
    expect(await decode(video, 1920, 1080)).toHaveLength(6);
    expect(await stop()).toEqual([0, null]);
  },
  1_800_000,
);
