// `npm run test:container`: runs the steps of deploy/Containerfile in a Debian tree that mmdebstrap builds, starts the service
// there as its own user with a read-only root file system, and renders a video through its API. Needs root.
//
//   npm run test:container -- --tree FOLDER     keeps the tree, or uses it again
//   npm run test:container -- --image NAME …    tests an image with podman instead; further arguments are passed to `podman run`
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { podmanRun, readContainerfile } from './containerfile.mjs';

const repository = dirname(import.meta.dirname);
const {
  entrypoint,
  user,
  env: imageEnv,
  baseSuite,
} = readContainerfile(readFileSync(join(repository, 'deploy/Containerfile'), 'utf8'));
const dataFolder = '/var/lib/framework';
const [mode, name, ...podmanOptions] = process.argv.slice(2);

const problem = whyNot();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else await main();

/** The reason why this machine cannot run the test. */
function whyNot() {
  const usage = 'Usage: npm run test:container [-- --tree FOLDER | --image NAME [PODMAN-OPTION…]]';
  if (mode !== undefined && (!['--tree', '--image'].includes(mode) || name === undefined)) return usage;
  if (process.getuid?.() !== 0)
    return 'npm run test:container must run as root: it starts the service as another user.';
  const programs = mode === '--image' ? ['podman'] : ['mmdebstrap', 'bwrap', 'unshare'];
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return undefined;
  const packages = missing
    .map((program) => ({ bwrap: 'bubblewrap', unshare: 'util-linux' })[program] ?? program)
    .join(' ');
  return `npm run test:container needs ${missing.join(' and ')}. On Debian: apt-get install ${packages}`;
}

function isInstalled(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}

async function main() {
  const work = mkdtempSync(join(tmpdir(), 'framework-container-'));
  let place;
  try {
    place = mode === '--image' ? imagePlace(name) : treePlace(buildTree(work), work);
    await check(place, work);
    console.log('The service works there.');
  } catch (error) {
    console.error(`${error.message}\n${place?.log() ?? ''}`);
    process.exitCode = 1;
  } finally {
    await place?.remove();
    rmSync(work, { recursive: true, force: true });
  }
}

/** Starts the service in a place, renders a video with it, and stops it. */
async function check(place, work) {
  const isolation = JSON.parse(place.run(['framework', 'doctor', '--service', '--json'], { mayFail: true })).rows.find(
    (row) => row.name === 'isolation',
  );
  if (isolation?.status !== 'ok') throw new Error(`Renders would not be isolated: ${isolation?.value}`);
  step(`isolation: ${isolation.value}`);
  if (tryWrite(place)) throw new Error('The root file system can be written.');
  step('the root file system is read-only');

  const port = await freePort();
  const service = place.start(['--port', String(port)]);
  const url = `http://127.0.0.1:${port}`;
  await ready(`${url}/readyz`, service);
  step(`the service runs as user ${user} and is ready at ${url}`);
  const data = ['--data', dataFolder];
  place.run(['framework', 'serve', 'account', 'add', '--email', 'ann@example.com', ...data], {
    input: 'correct-horse-battery\n',
  });
  const { key } = JSON.parse(
    place.run(['framework', 'serve', 'key', 'add', '--email', 'ann@example.com', ...data, '--json']),
  );
  const video = join(process.cwd(), '.cache/container.mp4');
  mkdirSync(dirname(video), { recursive: true });
  rmSync(video, { force: true });
  const project = writeProject(join(work, 'project'));
  const cli = join(repository, 'dist/cli.js');
  execFileSync(process.execPath, [cli, 'cloud', 'render', project, '--output', video], {
    env: { ...process.env, SERVICE_API_URL: url, SERVICE_API_KEY: key },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (readFileSync(video).subarray(4, 8).toString() !== 'ftyp') throw new Error(`${video} is not an mp4 file.`);
  step(`rendered ${video}`);
  const code = await service.stop();
  if (code !== 0) throw new Error(`The service ended with ${code} after SIGTERM.`);
  step('the service ended after SIGTERM with exit status 0');
}

function step(text) {
  console.log(`ok  ${text}`);
}

function tryWrite(place) {
  try {
    place.run(['sh', '-c', 'touch /usr/written /opt/framework/written /written 2>/dev/null']);
    return true;
  } catch {
    return false;
  }
}

/** Builds the tree with the steps of the Containerfile, and returns its folder. */
function buildTree(work) {
  const tree = mode === '--tree' ? name : join(work, 'tree');
  if (existsSync(join(tree, 'opt/framework'))) {
    console.log(`Using the tree in ${tree}. Delete it to build it again.`);
    return tree;
  }
  const install = join(work, 'install');
  mkdirSync(install);
  copyFileSync(join(repository, 'deploy/install.sh'), join(install, 'install.sh'));
  console.log('Packing Framework');
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', install], {
    cwd: repository,
    stdio: 'ignore',
  });
  // A network that inspects TLS has its own certificate authority.
  const authority = process.env.NODE_EXTRA_CA_CERTS;
  if (authority) copyFileSync(authority, join(install, 'authority.crt'));
  const setEnv = authority ? 'NODE_EXTRA_CA_CERTS=/tmp/install/authority.crt ' : '';
  const inTree = (command) => `--customize-hook=chroot "$1" sh -c "cd /tmp/install && ${command} >/dev/null"`;
  console.log(`Building a tree of Debian ${baseSuite} in ${tree}; this takes some minutes`);
  execFileSync(
    'mmdebstrap',
    [
      '--variant=minbase',
      `--customize-hook=copy-in ${install} /tmp`,
      inTree('sh install.sh packages'),
      inTree(`${setEnv}sh install.sh application framework-*.tgz`),
      inTree('sh install.sh clean'),
      '--customize-hook=rm -r "$1/tmp/install"',
      baseSuite,
      tree,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return tree;
}

/** Runs programs in the tree as the service's user: without capabilities, with the tree read-only, as a container does. */
function treePlace(tree, work) {
  const data = join(work, 'data');
  const [uid, gid] = user.split(':').map(Number);
  mkdirSync(data);
  chownSync(data, uid, gid);
  const inTree = (command) => [
    // bubblewrap's own /proc hides parts, so that the sandboxes of renders could not have one. This is that of `unshare`.
    ...['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bwrap'],
    ...[
      '--ro-bind',
      tree,
      '/',
      '--bind',
      '/proc',
      '/proc',
      '--dev',
      '/dev',
      '--tmpfs',
      '/tmp',
      '--chmod',
      '1777',
      '/tmp',
    ],
    ...['--bind', data, dataFolder, '--chdir', dataFolder, '--unshare-ipc'],
    // tini is not PID 1 here.
    ...[
      '--die-with-parent',
      '--clearenv',
      '--setenv',
      'TINI_SUBREAPER',
      '1',
      '--setenv',
      'PATH',
      '/usr/local/bin:/usr/bin:/bin',
    ],
    ...Object.entries(imageEnv).flatMap(([key, value]) => ['--setenv', key, value]),
    ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((capability) => ['--cap-add', capability]),
    ...['--', 'setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'],
    ...['--inh-caps=-all', '--bounding-set=-all', '--', ...command],
  ];
  let service;
  return {
    run: (command, { input, mayFail } = {}) => output('unshare', inTree(command), input, mayFail),
    start(options) {
      const child = spawn('unshare', inTree([...entrypoint, ...options]), { stdio: ['ignore', 'ignore', 'pipe'] });
      // unshare has started bubblewrap, and that tini.
      service = running(child, () => process.kill(childOf(childOf(child.pid)), 'SIGTERM'));
      return service;
    },
    log: () => service?.log() ?? '',
    remove: async () => service?.kill(),
  };
}

function childOf(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

/** Runs programs in containers of an image, with the options that the documentation recommends. */
function imagePlace(image) {
  const volume = `framework-test-${process.pid}`;
  const options = [...podmanRun, `--volume=${volume}:${dataFolder}`, '--network=host', ...podmanOptions];
  const inImage = ([program, ...args]) => [
    ...['run', '--rm', '--interactive', ...options, '--entrypoint', program, image, ...args],
  ];
  const container = `${volume}-service`;
  const podman = (...args) => execFileSync('podman', args, { stdio: 'ignore' });
  let service;
  return {
    run: (command, { input, mayFail } = {}) => output('podman', inImage(command), input, mayFail),
    start(args) {
      const child = spawn('podman', ['run', '--rm', '--name', container, ...options, image, ...args], {
        cwd: repository,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      service = running(child, () => podman('kill', '--signal', 'TERM', container));
      return service;
    },
    log: () => service?.log() ?? '',
    async remove() {
      podman('rm', '--force', '--ignore', container);
      await service?.kill();
      podman('volume', 'rm', '--force', volume);
    },
  };
}

/** What a program prints. */
function output(program, args, input = '', mayFail = false) {
  try {
    return execFileSync(program, args, { cwd: repository, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    if (mayFail && error.stdout) return error.stdout;
    throw new Error(`${args.join(' ')}\n${error.stderr}${error.stdout}`, { cause: error });
  }
}

/** A started service. `stop` sends SIGTERM and returns the exit status. */
function running(child, terminate) {
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const exited = once(child, 'exit');
  return {
    log: () => log,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      if (log.includes('renders are not isolated')) throw new Error('The service did not isolate the render.');
      terminate();
      const [code] = await exited;
      return code;
    },
  };
}

async function ready(url, service) {
  for (let attempt = 0; attempt < 120; attempt++) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (service.hasEnded()) break;
    await sleep(500);
  }
  throw new Error(`The service did not start:\n${service.log()}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** A video of two seconds with text, an emoji and movement. */
function writeProject(folder) {
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'index.html'),
    `<html><body style="margin:0"><div data-composition-id="main" data-width="640" data-height="360" data-duration="2">
<style>
  body { background: #14162a; color: #fff; font: 40px sans-serif }
  #text { position: absolute; left: 40px; top: 60px }
  #box { position: absolute; left: 40px; top: 200px; width: 80px; height: 80px; background: #f55; animation: move 2s linear }
  @keyframes move { to { translate: 480px } }
</style>
<div id="text">Rendered in a container 🎬</div><div id="box"></div></div></body></html>`,
  );
  return folder;
}
