// The rules of ARCHITECTURE.md that a machine can check: which module imports which, what stays out of pages, and how large bundles are.
// It is longer than 400 lines because the table of modules and the tests that read it are one subject.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { attr } from '../../renderer-core/model/attributes.ts';
import { server } from '../../scripts/serverBundles.mjs';

/**
 * What a module may import: whole modules, or single files of one (a path without `.ts`). Modules of renderer-core are
 * written without that folder. Nothing may import `cli` or `sdk`.
 */
const mayImport: Record<string, readonly string[]> = {
  errors: ['reports/errorJson'],
  model: [],
  // Schemas that several modules share. Each of the others is in the module that produces its report.
  reports: ['model/variables/variables'],
  lint: ['model'],
  'page/runtime': ['model'],
  page: ['page/runtime', 'page/features'],
  'page/features': ['page/runtime', 'model', 'errors'],
  'page/assemble': ['page/features', 'plan', 'model', 'page/runtime/page'],
  plan: ['model', 'page/runtime/page', 'reports', 'errors'],
  project: [
    'reports',
    'errors',
    'model/text/spans',
    'model/text/suggest',
    'model/text/percentText',
    'model/text/textEncoding',
  ],
  setup: ['project', 'reports', 'errors'],
  fonts: ['lint/project', 'plan', 'project', 'setup', 'model', 'reports', 'errors'],
  media: ['model/frameGrid', 'plan', 'project', 'setup', 'errors'],
  capture: [
    'plan',
    'media/frameFormat',
    'media/segment',
    'page/runtime/page',
    'page/runtime/control',
    // Both windows stay where they are.
    'page/runtime/stayOnPage',
    'page/runtime/ownSheets',
    'page/features',
    'page/assemble/sourceFiles',
    'project',
    'setup',
    'model',
    'errors',
  ],
  doctor: ['capture', 'fonts', 'media', 'project', 'setup', 'reports', 'errors'],
  render: [
    'capture',
    'media',
    'fonts',
    'plan',
    'project',
    'setup',
    'model',
    'page/runtime',
    'page/assemble',
    'page/features',
    'reports',
    'errors',
  ],
  check: [
    'check/page/inspect',
    'render',
    'capture',
    'media',
    'lint',
    'plan',
    'project',
    'page/runtime/page',
    'model',
    'reports',
    'errors',
  ],
  'check/page': [
    'check/boxes',
    'check/sight',
    'check/contrast',
    'page/runtime/page',
    'page/runtime/control',
    'page/runtime/describeElement',
  ],
  blocks: ['lint', 'project', 'model', 'reports', 'errors'],
  lintProject: ['lint', 'project', 'model', 'errors'],
  describeProject: ['lint/project', 'project', 'model', 'reports', 'errors'],
  // The render's own checks, messages and conversions, without what drives a browser.
  preview: [
    // What the editor passes between the page and the language server: only types.
    'server/protocol',
    // What messages of the renderer say in the editor.
    'reports/editorText',
    'render/prepare',
    'render/probe/assetErrors',
    'render/probe/assetReferences',
    'render/mediaRoute',
    'capture/pageScripts',
    'capture/protocol',
    'media',
    'fonts/serveFonts',
    'plan',
    'project',
    'page/assemble',
    'page/runtime',
    'model',
    'errors',
  ],
  'preview/page': [
    'preview/messages',
    'preview/facts',
    'plan/frameRate',
    'page/assemble/sourceFiles',
    'page/assemble/textEdits',
    'capture/page/openMedia',
    'capture/page/blankPage',
    'capture/page/pageBackground',
    'plan/posterTime',
    'capture/protocol',
    'page/runtime/page',
    'page/runtime/control',
    'page/features',
    'model',
  ],
  'cloud/client': ['webhooks/callback', 'fonts/projectFonts', 'project', 'plan', 'model', 'reports', 'errors'],
  'cloud/service': [
    'page/features',
    'serverless',
    'webhooks',
    'render',
    'capture',
    'media',
    'plan',
    'project',
    'model',
    'cloud/client/apiTypes',
    'cloud/client/prices',
    'reports/engine',
    'setup/pinnedEngine',
    'errors',
  ],
  // What the hosted and the serverless service both send.
  webhooks: ['project/remote/publicAddress', 'project/remote/publicLookup'],
  serverless: [
    'page/features',
    'webhooks',
    'render',
    'capture',
    'fonts',
    'media',
    'plan',
    'project',
    'setup',
    'model',
    'reports',
    'errors',
  ],
  // Schemas of what commands print. The docs are generated from them, and no running code imports them.
  'cli/schemas': [
    'check/checkReport',
    'check/soundsReport',
    'check/limits',
    'blocks/addBlockReport',
    'fonts/fontList',
    'fonts/fontAddition',
    'cloud/service/api/apiSchemas',
    'setup',
    'doctor',
    'project/newProjectReport',
    'lintProject',
    'lint',
    'cloud/client',
    'serverless',
    'render',
    'plan',
    'reports',
  ],
  'cli/mcp': [
    'check',
    'cli/output/batchProgress',
    'cli/output/soundsText',
    'lintProject',
    'describeProject',
    'lint',
    'render',
    'plan',
    'project',
    'model',
    'reports',
    'errors',
  ],
  cli: [
    'check',
    'blocks',
    'fonts',
    'cli/mcp',
    'lintProject',
    'describeProject',
    'lint',
    'preview',
    'cloud/client',
    'cloud/service',
    'serverless',
    'doctor',
    'render',
    'capture',
    'fonts',
    'media',
    'plan',
    'project',
    'setup',
    'model',
    'page/runtime',
    'page/features',
    'reports',
    'errors',
  ],
  sdk: [
    'check',
    'lintProject',
    'describeProject',
    'lint',
    'cloud/client',
    'serverless',
    'render',
    'capture',
    'media',
    'plan',
    'project',
    'model',
    'page/runtime',
    'reports',
    'errors',
  ],
  // The editor checks the rows of a batch as the command line does.
  'server/features': [
    'server/protocol',
    'model',
    'lint',
    'plan/batch',
    'plan/batchFile',
    'plan/csv',
    'blocks/insertBlock',
  ],
  // The Node server shows the letters of pinned fonts that are on this machine.
  server: ['server/features', 'model', 'lint', 'plan/batchFile', 'fonts/findFonts', 'fonts/fontPackages', 'errors'],
  // The variables form checks and merges values as a render does, and shows commands as the command line prints them.
  client: [
    'server/protocol',
    'preview/messages',
    'preview/page/texts',
    'model/variables/values',
    'model/text/cssColors',
    'model/variables/given',
    'plan/resolution',
    'cloud/client/shellCommands',
    'cloud/client/prices',
    // Types of what the command line prints.
    'cloud/client/apiTypes',
    'cloud/client/auth/deviceCode',
    'reports/errorJson',
    // What messages of the renderer say in the editor.
    'reports/editorText',
    // The render dialog shows the formats and qualities that a render accepts.
    'plan/formats',
    // Rows are counted as on the command line.
    'plan/numberRanges',
    // The editor of videos finds the poster frame in the same way as a thumbnail.
    'plan/plainFrame',
    'plan/posterTime',
    'project/exampleIndex',
    'blocks/blockIndex',
    // Types of the report.
    'check/checkReport',
    'check/soundsReport',
  ],
};

/** Where nothing of Node may be imported: pure modules, and code that runs in pages. */
const withoutNode = [
  'model/',
  'lint/',
  'plan/',
  'page/',
  'blocks/blockIndex.ts',
  'blocks/blockTimes.ts',
  'blocks/insertBlock.ts',
  'capture/page/',
  'check/page/',
  'page/features/canvas/fitCanvases.ts',
  'capture/protocol.ts',
  'preview/messages.ts',
  'preview/facts.ts',
  'preview/page/',
  'cloud/service/pages/assets/',
  'cli/mcp/toolDefinitions.ts',
  'cli/mcp/toolText.ts',
  'server/',
  'client/',
];

/** Exceptions to `withoutNode`: files that only run in Node. */
const onlyInNode = [
  'server/nodeMain.ts',
  'server/projects/diskFiles.ts',
  'client/extension.ts',
  'client/cli/cliProcess.ts',
  'client/uninstall.ts',
];

/** Packages that only some modules may import. The first rule that matches counts. */
const packagesOf: { name: RegExp; modules: readonly string[] }[] = [
  { name: /^vscode-languageserver-(?:types|textdocument)$/, modules: ['server', 'server/features', 'client'] },
  { name: /^vscode-(?:languageserver|jsonrpc)\b/, modules: ['server'] },
  { name: /^@modelcontextprotocol\//, modules: ['cli/mcp'] },
  { name: /^vscode-languageclient\b|^vscode$/, modules: ['client'] },
];

/** The maximum sizes of the language server: of what each environment loads at its start, and of all files. */
const serverBytes = { start: 1024 * 1024, all: 1600 * 1024 };

/** Scripts of pages: their maximum minified size, and the packages that must not be in them. */
const pageScripts: Record<string, { entry: string; bytes: number; without: RegExp }> = {
  runtime: { entry: 'renderer-core/page/main.ts', bytes: 124 * 1024, without: /node_modules/ },
  inPage: { entry: 'renderer-core/capture/page/inPage.ts', bytes: 35 * 1024, without: /node_modules/ },
  backdropReach: {
    entry: 'renderer-core/page/features/backdrop/backdropReach.ts',
    bytes: 2 * 1024,
    without: /node_modules/,
  },
  videoFile: {
    entry: 'renderer-core/capture/page/videoFile.ts',
    bytes: 512 * 1024,
    without: /node_modules\/(?!mediabunny)/,
  },
  preview: { entry: 'preview/page/main.ts', bytes: 63 * 1024, without: /node_modules/ },
  elementMenu: { entry: 'preview/page/editing/elementMenu.ts', bytes: 8 * 1024, without: /node_modules/ },
  frameWriter: { entry: 'renderer-core/capture/page/frameWriter.ts', bytes: 10 * 1024, without: /node_modules/ },
  inspect: { entry: 'renderer-core/check/page/inspect.ts', bytes: 12 * 1024, without: /node_modules/ },
  servicePages: { entry: 'cloud/service/pages/assets/pageScript.ts', bytes: 4 * 1024, without: /node_modules/ },
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const core = 'renderer-core/';

type Import = { from: string; to: string };

/** Source files by their path, without `renderer-core/` and without AssemblyScript. */
const products = ['renderer-core', 'preview', 'cli', 'cloud', 'serverless', 'webhooks', 'sdk', 'server', 'client'];
const files = products
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
  return existsSync(join(root, core, path)) ? core + path : path;
}

/** Every import in the sources, including those of types, which a bundler does not see. */
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

/** Modules inside a product's folder. */
const innerModules = [
  'check/page',
  'page/features',
  'page/assemble',
  'page/runtime',
  'server/features',
  'preview/page',
  'cloud/client',
  'cloud/service',
  'cli/mcp',
  'cli/schemas',
];

const moduleOf = (path: string): string =>
  innerModules.find((name) => path.startsWith(`${name}/`)) ?? path.split('/')[0]?.replace(/\.ts$/, '') ?? path;
const isOurs = (path: string): boolean => files.includes(path);

function isAllowed({ from, to }: Import): boolean {
  const module = moduleOf(from);
  return (
    module === moduleOf(to) ||
    (mayImport[module] ?? []).some((allowed) => allowed === moduleOf(to) || `${allowed}.ts` === to)
  );
}

const show = ({ from, to }: Import): string => `${from} -> ${to}`;

/** Imports that remain in the bundles of all entry points. */
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
    await analyse(['sdk/index.ts', 'cli/main.ts', 'server/nodeMain.ts'], 'node'),
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
  let inBundles: Import[] = [];
  let all: Import[] = [];
  beforeAll(async () => {
    inBundles = await bundled();
    all = [...written, ...inBundles];
  });

  test('finds imports in the sources and in the bundles', () => {
    const edges = all.map(show).filter((edge) => edge === 'render/session.ts -> capture/launch.ts');
    expect(edges).toHaveLength(2);
    expect(written.map(show)).toContain('capture/frameSource.ts -> media/frameFormat.ts');
    expect(all.map(show)).toContain('server/findings.ts -> lint/lintFile.ts');
  });

  test('resolves every import to a module or a package; only two modules read the manifest', () => {
    const isPackage = (name: string) => !/^\.|\.(?:ts|json)$/.test(name) || /^(?:node_modules|\w+:)/.test(name);
    const outside = all
      .filter(({ to }) => !isOurs(to) && !isPackage(to))
      .map(({ from, to }) => `${moduleOf(from)} -> ${to}`);
    expect([...new Set(outside)].sort()).toEqual(['cli -> package.json', 'server -> package.json']);
  });

  test('has a rule for every module', () => {
    expect(files.map(moduleOf).filter((room) => !(room in mayImport))).toEqual([]);
  });

  test('rejects imports in the wrong direction', () => {
    const wrong = all.filter((edge) => isOurs(edge.to) && !isAllowed(edge)).map(show);
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('keeps Node out of pure modules and pages', () => {
    const isNode = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
    const isWithout = (path: string) =>
      withoutNode.some((prefix) => path.startsWith(prefix)) && !onlyInNode.includes(path);
    const wrong = all.filter(({ from, to }) => isWithout(from) && isNode(to));
    expect(wrong.map(show)).toEqual([]);
    expect(all.filter(({ from, to }) => from.startsWith('render/') && isNode(to)).length).toBeGreaterThan(0);
  });

  test('keeps the protocol out of features, and the editor API out of everything but the client', () => {
    const wrong = all.filter(({ from, to }) => {
      const rule = packagesOf.find(({ name }) => name.test(to));
      return rule !== undefined && isOurs(from) && !rule.modules.includes(moduleOf(from));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test('loads no schema of a report: only the MCP server and the API of the service use zod', () => {
    const users = inBundles.filter(({ from, to }) => isOurs(from) && /zod/.test(to)).map(({ from }) => moduleOf(from));
    // Reports use it only for what the API returns.
    expect([...new Set(users)].sort()).toEqual(['cli/mcp', 'cloud/service', 'reports']);
  });

  test('imports only types from the server into the client', () => {
    const values = /^(?:import|export) (?!type\b)[^;]*?'[^']*\/server\/[^']*'/gm;
    const wrong = files.filter((path) => path.startsWith('client/') && values.test(sources.get(path) ?? ''));
    expect(wrong).toEqual([]);
  });
});

function groupByFile(edges: readonly Import[]): Map<string, Import[]> {
  const groups = new Map<string, Import[]>();
  for (const edge of edges) groups.set(edge.from, [...(groups.get(edge.from) ?? []), edge]);
  return groups;
}

/** Files that import each other, directly or through others: every strongly connected group of two or more. */
function cyclesOf(edges: readonly Import[]): string[][] {
  const targets = groupByFile(edges);
  const reachable = (start: string): Set<string> => {
    const found = new Set<string>();
    const waiting = [start];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const { to } of targets.get(file) ?? []) {
        if (found.has(to)) continue;
        found.add(to);
        waiting.push(to);
      }
    }
    return found;
  };
  const reach = new Map(files.map((file) => [file, reachable(file)]));
  const groups = files
    .filter((file) => reach.get(file)?.has(file))
    .map((file) => files.filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file)).sort());
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

test('rejects cycles between files, including cycles of types', () => {
  expect(cyclesOf(written.filter(({ to }) => isOurs(to)))).toEqual([]);
});

test('sdk/index.ts contains only exports', () => {
  const rest = (sources.get('sdk/index.ts') ?? '')
    .replaceAll(/^\/\/.*$/gm, '')
    .replaceAll(/^export (?:type )?\{[^}]*\} from '[^']+';$/gm, '');
  expect(rest.trim()).toBe('');
});

test.each(Object.entries(pageScripts))('%s.js stays within its size and contains no package', async (name, {
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
  // What remains after tree shaking.
  const inputs = Object.values(result.metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  expect(
    inputs.filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && without.test(path)).map(([path]) => path),
  ).toEqual([]);
});

test('the language server stays within its size, for Node and for web workers', async () => {
  const { metafile } = await build({
    ...server,
    outdir: 'out',
    write: false,
    absWorkingDir: root,
    logLevel: 'silent',
  });
  const loadedAtStart = (path: string): string[] => [
    path,
    ...(metafile.outputs[path]?.imports ?? [])
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .flatMap(({ path: next }) => loadedAtStart(next)),
  ];
  const bytes = (paths: Iterable<string>) =>
    [...new Set(paths)].reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0);
  for (const entry of ['out/server.js', 'out/serverModule.js']) {
    expect(bytes(loadedAtStart(entry))).toBeGreaterThan(500_000);
    expect(bytes(loadedAtStart(entry))).toBeLessThanOrEqual(serverBytes.start);
  }
  expect(bytes(Object.keys(metafile.outputs))).toBeLessThanOrEqual(serverBytes.all);
});

test('the web worker loads nothing that only Node has', async () => {
  const { metafile } = await build({ ...server, outdir: 'out', write: false, absWorkingDir: root, logLevel: 'silent' });
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { path: next } of metafile.outputs[path]?.imports ?? []) visit(next);
  };
  visit('out/serverModule.js');
  expect([...reached].filter((path) => !path.startsWith('out/'))).toEqual([]);
});

describe('writes every attribute name once', () => {
  /** Matches code that names an attribute: a whole string, a selector or a `dataset` property, but not text for people. */
  const uses = (name: string): RegExp => {
    const property = name.replace(/^data-/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return new RegExp(`(['"\`])${name}\\1|\\[${name}\\b|\\bdataset\\.${property}\\b`);
  };
  const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const code = [...sources].map(([path, text]) => ({ path, text: withoutComments(text) }));
  const usersOf = (name: string): string[] => code.filter(({ text }) => uses(name).test(text)).map(({ path }) => path);
  const names = Object.values(attr).filter((name) => name.startsWith('data-'));

  test('attributes of the contract are in model/attributes.ts', () => {
    expect(names.map((name) => [name, usersOf(name)])).toEqual(names.map((name) => [name, ['model/attributes.ts']]));
  });

  test.each([
    'data-framework-instance',
    'data-framework-hidden',
    'data-framework-source',
  ])('%s is in page/runtime/page.ts', (name) => {
    expect(usersOf(name)).toEqual(['page/runtime/page.ts']);
  });
});
