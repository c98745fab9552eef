// The house rules that a machine can check: which room imports which, what stays out of the page, and how large that gets.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { attr } from '../../renderer-core/model/attributes.ts';
import { nodeServer, serverWorker } from '../../scripts/serverBundles.mjs';

/**
 * What a room may import: rooms, or single files of one. Rooms are the folders of renderer-core, and those beside it.
 * Nobody may import `cli` or `index`.
 */
const mayImport: Record<string, readonly string[]> = {
  errors: [],
  model: [],
  lint: ['model'],
  runtime: ['model'],
  plan: ['model', 'runtime/page', 'errors'],
  project: ['errors', 'model/suggest', 'model/percentText'],
  setup: ['project', 'errors'],
  media: ['plan', 'project', 'setup', 'errors'],
  capture: ['plan', 'media/pictures', 'runtime/page', 'runtime/control', 'project', 'setup', 'model', 'errors'],
  render: ['capture', 'media', 'plan', 'project', 'setup', 'model', 'runtime', 'errors'],
  // The render's own checks, wording and conversions, without what drives a browser.
  preview: [
    'render/prepare',
    'render/assetFaults',
    'render/places',
    'render/mediaRoute',
    'render/workspace',
    'capture/pageScripts',
    'capture/protocol',
    'media',
    'plan',
    'project',
    'runtime',
    'model',
    'errors',
  ],
  previewPage: [
    'preview/messages',
    'preview/facts',
    'plan/frameRate',
    'plan/sourceFiles',
    'plan/textEdits',
    'capture/openMedia',
    'capture/protocol',
    'runtime/page',
    'runtime/control',
    'model',
  ],
  lintProject: ['lint', 'project', 'model', 'errors'],
  describeProject: ['lint/project', 'project', 'model', 'errors'],
  cloud: ['project', 'plan', 'model', 'errors'],
  service: ['serverless', 'render', 'capture', 'media', 'plan', 'project', 'model', 'cloud/apiTypes', 'errors'],
  // Schemas of what commands print: documentation is made from them, and nothing that runs imports them.
  answers: [
    'service/schemas',
    'setup',
    'project/newProject',
    'describeProject',
    'lintProject',
    'lint',
    'cloud',
    'serverless',
    'render',
    'plan',
    'model',
    'errors',
  ],
  // What the command line does, for agents.
  mcp: ['lintProject', 'describeProject', 'lint', 'render', 'plan', 'project', 'model', 'errors'],
  serverless: ['render', 'capture', 'media', 'plan', 'project', 'model', 'errors'],
  cli: [
    'lintProject',
    'preview',
    'describeProject',
    'lint',
    'cloud',
    'service',
    'serverless',
    'mcp',
    'render',
    'capture',
    'media',
    'plan',
    'project',
    'setup',
    'model',
    'runtime',
    'errors',
    'index',
  ],
  index: [
    'lintProject',
    'describeProject',
    'lint',
    'cloud',
    'serverless',
    'render',
    'capture',
    'media',
    'plan',
    'project',
    'model',
    'runtime',
    'errors',
  ],
  // The editor checks the rows of a batch as the command line does.
  'server/features': ['model', 'lint', 'plan/batch', 'plan/batchFile'],
  server: ['server/features', 'model', 'lint', 'plan/batchFile', 'errors'],
  // The variables form checks and merges as a render does, and types commands as the command line prints them.
  client: [
    'server/protocol',
    'preview/messages',
    'previewPage/texts',
    'model/values',
    'model/cssColors',
    'cloud/typedCommands',
    'project/exampleIndex',
  ],
};

/** Where nothing of Node may be imported: the pure rooms, and what runs in pages. */
const withoutNode = [
  'model/',
  'lint/',
  'plan/',
  'runtime/',
  'capture/inPage.ts',
  'capture/frameWriter.ts',
  'capture/videoFile.ts',
  'capture/openMedia.ts',
  'capture/protocol.ts',
  'preview/messages.ts',
  'preview/facts.ts',
  'previewPage/',
  'server/',
  'client/',
];

/** Of these, what starts in Node and nowhere else. */
const onlyInNode = ['server/nodeMain.ts', 'server/diskFiles.ts', 'client/extension.ts', 'client/cli/cliProcess.ts'];

/** Packages that belong to some rooms alone. The first that fits counts. */
const packagesOf: { name: RegExp; rooms: readonly string[] }[] = [
  { name: /^vscode-languageserver-(?:types|textdocument)$/, rooms: ['server', 'server/features', 'client'] },
  { name: /^vscode-(?:languageserver|jsonrpc)\b/, rooms: ['server'] },
  { name: /^@modelcontextprotocol\//, rooms: ['mcp'] },
  { name: /^vscode-languageclient\b|^vscode$/, rooms: ['client'] },
];

/** The language server's bundles: most bytes they may have, and what must not be in them. */
const serverBundles = [
  { name: 'server.js', options: nodeServer, bytes: 1024 * 1024, later: 352 * 1024 },
  { name: 'serverWorker.js', options: serverWorker, bytes: 1400 * 1024, later: 0 },
];

/** Scripts of the page: most bytes they may have, minified, and packages that must not be in them. */
const pageScripts: Record<string, { entry: string; bytes: number; without: RegExp }> = {
  runtime: { entry: 'renderer-core/runtime/main.ts', bytes: 50 * 1024, without: /node_modules/ },
  inPage: { entry: 'renderer-core/capture/inPage.ts', bytes: 8 * 1024, without: /node_modules/ },
  videoFile: {
    entry: 'renderer-core/capture/videoFile.ts',
    bytes: 512 * 1024,
    without: /node_modules\/(?!mediabunny)/,
  },
  preview: { entry: 'renderer-core/previewPage/main.ts', bytes: 40 * 1024, without: /node_modules/ },
  frameWriter: { entry: 'renderer-core/capture/frameWriter.ts', bytes: 8 * 1024, without: /node_modules/ },
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const core = 'renderer-core/';

type Import = { from: string; to: string };

/** Files of ours by what they are called here: those of renderer-core by their path below it; `convert.as.ts` is AssemblyScript. */
const files = ['renderer-core', 'server', 'client']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .map((path) => shortName(path.replaceAll('\\', '/')))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.as.ts'));
const sources = new Map(files.map((path) => [path, readFileSync(join(root, longName(path)), 'utf8')]));

function shortName(path: string): string {
  return path.startsWith(core) ? path.slice(core.length) : path;
}

function longName(path: string): string {
  return /^(?:server|client)\//.test(path) ? path : core + path;
}

/** Every import as it is written, those of types too, which a bundler does not see. */
const written: Import[] = [...sources].flatMap(([from, text]) =>
  [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)/gm)].map((match) => ({
    from,
    to: resolve(from, match[1] ?? match[2] ?? ''),
  })),
);

function resolve(from: string, specifier: string): string {
  return specifier.startsWith('.')
    ? shortName(posix.normalize(posix.join(dirname(longName(from)), specifier)))
    : specifier;
}

const roomOf = (path: string): string =>
  /^server\/features\//.test(path) ? 'server/features' : (path.split('/')[0]?.replace(/\.ts$/, '') ?? path);
const isOurs = (path: string): boolean => files.includes(path);

function isAllowed({ from, to }: Import): boolean {
  const room = roomOf(from);
  return (
    room === roomOf(to) || (mayImport[room] ?? []).some((allowed) => allowed === roomOf(to) || `${allowed}.ts` === to)
  );
}

const show = ({ from, to }: Import): string => `${from} -> ${to}`;

/** Imports that are left in the bundles of everything that starts somewhere. */
async function bundled(): Promise<Import[]> {
  const analyse = (entryPoints: string[], platform: 'node' | 'browser') =>
    build({
      entryPoints,
      bundle: true,
      write: false,
      metafile: true,
      outdir: 'out',
      platform,
      format: 'esm',
      packages: 'external',
      absWorkingDir: root,
      logLevel: 'silent',
    });
  const results = [
    await analyse(['renderer-core/index.ts', 'renderer-core/cli/main.ts', 'server/nodeMain.ts'], 'node'),
    await analyse([...Object.values(pageScripts).map(({ entry }) => entry), 'server/browserMain.ts'], 'browser'),
  ];
  const path = (input: string) => shortName(input.replaceAll('\\', '/'));
  return results.flatMap(({ metafile }) => {
    const inputs: [string, Metafile['inputs'][string]][] = Object.entries(metafile.inputs);
    return inputs.flatMap(([from, { imports }]) =>
      imports.map((one) => ({ from: path(from), to: one.external ? one.path : path(one.path) })),
    );
  });
}

describe('imports', () => {
  let all: Import[] = [];
  beforeAll(async () => {
    all = [...written, ...(await bundled())];
  });

  test('are found, in both ways of looking', () => {
    const edges = all.map(show).filter((edge) => edge === 'render/session.ts -> capture/launch.ts');
    expect(edges).toHaveLength(2);
    expect(written.map(show)).toContain('capture/frameSource.ts -> media/pictures.ts');
    expect(all.map(show)).toContain('server/findings.ts -> lint/lintFile.ts');
  });

  test('stay among the rooms; only facts about the program are read from the manifest', () => {
    const isPackage = (name: string) => !/^\.|\.(?:ts|json)$/.test(name) || /^(?:node_modules|\w+:)/.test(name);
    const outside = all
      .filter(({ to }) => !isOurs(to) && !isPackage(to))
      .map(({ from, to }) => `${roomOf(from)} -> ${to}`);
    expect([...new Set(outside)].sort()).toEqual(['cli -> package.json', 'server -> package.json']);
  });

  test('every room has a rule', () => {
    expect(files.map(roomOf).filter((room) => !(room in mayImport))).toEqual([]);
  });

  test('point the right way', () => {
    const wrong = all.filter((edge) => isOurs(edge.to) && !isAllowed(edge)).map(show);
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('bring nothing of Node into pure rooms and pages', () => {
    const isNode = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
    const isWithout = (path: string) =>
      withoutNode.some((place) => path.startsWith(place)) && !onlyInNode.includes(path);
    const wrong = all.filter(({ from, to }) => isWithout(from) && isNode(to));
    expect(wrong.map(show)).toEqual([]);
    expect(all.filter(({ from, to }) => from.startsWith('render/') && isNode(to)).length).toBeGreaterThan(0);
  });

  test('keep the protocol out of features, and the editor out of everything but its client', () => {
    const wrong = all.filter(({ from, to }) => {
      const rule = packagesOf.find(({ name }) => name.test(to));
      return rule !== undefined && isOurs(from) && !rule.rooms.includes(roomOf(from));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test('bring types alone from the server into the client', () => {
    const values = /^(?:import|export) (?!type\b)[^;]*?'[^']*\/server\/[^']*'/gm;
    const wrong = files.filter((path) => path.startsWith('client/') && values.test(sources.get(path) ?? ''));
    expect(wrong).toEqual([]);
  });
});

test('index.ts exports and does nothing else', () => {
  const rest = (sources.get('index.ts') ?? '')
    .replaceAll(/^\/\/.*$/gm, '')
    .replaceAll(/^export (?:type )?\{[^}]*\} from '[^']+';$/gm, '');
  expect(rest.trim()).toBe('');
});

test.each(Object.entries(pageScripts))('%s.js is small and carries no package', async (name, {
  entry,
  bytes,
  without,
}) => {
  const result = await build({
    entryPoints: { [name]: entry },
    outdir: 'out',
    bundle: true,
    format: 'iife',
    target: 'chrome120',
    minify: true,
    write: false,
    metafile: true,
    absWorkingDir: root,
  });
  expect(result.outputFiles[0]?.contents.length).toBeGreaterThan(500);
  expect(result.outputFiles[0]?.contents.length).toBeLessThanOrEqual(bytes);
  // What is left after unused code was shaken off.
  const inputs = Object.values(result.metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  expect(
    inputs.filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && without.test(path)).map(([path]) => path),
  ).toEqual([]);
});

test.each(serverBundles)('$name is small', async ({ options, bytes, later }) => {
  const { metafile } = await build({
    ...options,
    outdir: 'out',
    write: false,
    absWorkingDir: root,
    logLevel: 'silent',
  });
  const outputs = Object.values(metafile.outputs);
  const total = outputs.reduce((sum, output) => sum + output.bytes, 0);
  const main = outputs.find(({ entryPoint }) => entryPoint?.startsWith('server/'))?.bytes ?? 0;
  expect(main).toBeGreaterThan(10_000);
  expect(main).toBeLessThanOrEqual(bytes);
  expect(total - main).toBeLessThanOrEqual(later);
});

describe('attribute names are written once', () => {
  /** Code that names an attribute: the whole string, a selector, or a `dataset` property. Sentences for people may. */
  const uses = (name: string): RegExp => {
    const property = name.replace(/^data-/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return new RegExp(`(['"\`])${name}\\1|\\[${name}\\b|\\bdataset\\.${property}\\b`);
  };
  const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const code = [...sources].map(([path, text]) => ({ path, text: withoutComments(text) }));
  const usersOf = (name: string): string[] => code.filter(({ text }) => uses(name).test(text)).map(({ path }) => path);
  const names = Object.values(attr).filter((name) => name.startsWith('data-'));

  test('those of the contract, in model/attributes.ts', () => {
    expect(names.map((name) => [name, usersOf(name)])).toEqual(names.map((name) => [name, ['model/attributes.ts']]));
  });

  test.each([
    'data-framework-instance',
    'data-framework-hidden',
    'data-framework-graded',
    'data-framework-source',
  ])('%s, in runtime/page.ts', (name) => {
    expect(usersOf(name)).toEqual(['runtime/page.ts']);
  });
});
