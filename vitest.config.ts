// The test suites. `npm test` runs `core`; `npm run test:full` runs `full`, which are the other tests that must pass after each
// change; `npm run test:soak` runs `soak`: tests that kill processes, fill the memory, repeat or generate much. Without one of
// these modes, as in `npx vitest run FILE`, all tests run.
//
// A project has one suite. In some, tests with the tag of another suite belong to that one.
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { notOnWindows } from './test/support/notOnWindows.ts';
import { SuiteReporter } from './test/support/suiteReporter.ts';

type Suite = 'core' | 'full' | 'soak';
/** `tags`: other suites to which single tests belong. */
type Project = { suite: Suite; tags?: Suite[]; test: { exclude?: string[] } & Record<string, unknown> };

const soakFiles = [
  // Each of their promises also has tests where it is kept.
  'test/acceptance/{cloudOptions,media,timeline,variables}.test.ts',
  'test/acceptance/serverless/{serverlessBatch,serverlessStack}.test.ts',
  'test/e2e/{image,setup}.test.ts',
  'test/fidelity/{fonts,startFrames}.test.ts',
  'test/release/release.test.ts',
  'test/renderer-core/capture/browserProcesses.test.ts',
  'test/renderer-core/render/{memory,repeat}.test.ts',
  'test/renderer-core/render/{chunks/resumedRender,chunks/sameFrames,host/renderHost,page/deliveryOfProjects}.test.ts',
  'test/renderer-core/{model,lint}/neverThrows.test.ts',
  'test/preview/fonts.test.ts',
  'test/server/stress.test.ts',
  'test/cloud/service/integration/{fonts,postgresQueue,queue,serve}.test.ts',
  'test/cloud/service/integration/backup*.test.ts',
  'test/serverless/integration/{canary,deleteBucket,endToEnd,fonts,growingUpload,hostedOrder,jobs,keptBuckets,manyChunks}.test.ts',
  'test/torture/short.test.ts',
];

/** Unit tests that need other programs than Node, npm and a shell, or that take long. */
const fullUnitTests = [
  'test/architecture/words.test.ts',
  'test/cli/{completion,fontsAdd,lintPatch}.test.ts',
  'test/client/strings.test.ts',
  'test/release/{audit,changelog,ciRun}.test.ts',
  'test/cloud/service/isolation/sandbox.test.ts',
  'test/cloud/service/pages/signInLimits.test.ts',
  'test/renderer-core/project/remote/publicLookup.test.ts',
  'test/renderer-core/setup/{downloadBrowser,npmInstall}.test.ts',
  'test/serverless/deploy/template.test.ts',
];

/** They replace modules or functions, which other files of the same worker would see. */
const testsWithMocks = [
  'test/client/**/*.test.ts',
  'test/syntaxes/**/*.test.ts',
  'test/serverless/deploy/checkPolicies.test.ts',
];

/** They open pages, unlike the tests next to them. */
const checksOfPages = ['test/renderer-core/check/checkedPages.test.ts'];

/** They read what `npm run build` writes, unlike the tests next to them. */
const testsOfBuild = ['test/renderer-core/page/features/hdrVideo/**/*.test.ts'];

/** They open no page. */
const testsWithoutPages = [
  'test/renderer-core/capture/{findBrowser,graphics,responding,samples}.test.ts',
  'test/renderer-core/capture/page/screenshotPixels.test.ts',
  'test/renderer-core/render/{batch/batchPlan,host/warmPrograms,probe/checkedOptions}.test.ts',
  'test/renderer-core/render/chunks/{chunkEncoder,countWorkers,workers}.test.ts',
  'test/preview/{compositions,embeddedSize}.test.ts',
];

/** They start browsers of their own, end them, or look at all processes below their own. */
const testsWithOwnBrowsers = [
  'test/renderer-core/capture/embeddedBrowser.test.ts',
  'test/renderer-core/render/{files/network,robustness,session}.test.ts',
  'test/e2e/**/*.test.ts',
  'test/serverless/render.test.ts',
  'test/serverless/jobs/jobs.test.ts',
];

/** The default of hooks is too short for a busy machine. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 };
const slowTimeouts = { testTimeout: 180_000, hookTimeout: 180_000 };

const projects: Project[] = [
  {
    suite: 'core',
    test: {
      name: 'fast',
      include: [
        'test/renderer-core/{blocks,check,lint,model,page,plan}/**/*.test.ts',
        'test/{server/features,preview/page,cli}/**/*.test.ts',
      ],
      exclude: [...fullUnitTests, ...soakFiles, ...checksOfPages, ...testsOfBuild],
      // Files share their imports: loading them for each file would take longer than the tests.
      isolate: false,
      ...timeouts,
    },
  },
  {
    suite: 'core',
    tags: ['full'],
    test: {
      name: 'unit',
      globalSetup: './test/support/service/servicePages.ts',
      include: [
        'test/renderer-core/{project,setup,fonts}/**/*.test.ts',
        'test/{cloud,serverless,architecture}/**/*.test.ts',
        'test/torture/checks.test.ts',
        ...testsOfBuild,
        ...testsWithoutPages,
      ],
      exclude: [
        'test/**/integration/**',
        'test/serverless/{render,jobs/jobs}.test.ts',
        ...fullUnitTests,
        ...testsWithMocks,
      ],
      isolate: false,
      ...timeouts,
    },
  },
  {
    suite: 'core',
    test: { name: 'mocks', include: testsWithMocks, exclude: fullUnitTests, ...timeouts },
  },
  {
    suite: 'core',
    test: {
      name: 'programs',
      include: ['test/renderer-core/media/**/*.test.ts', 'test/server/*.test.ts'],
      exclude: soakFiles,
      isolate: false,
      ...timeouts,
    },
  },
  {
    suite: 'full',
    tags: ['core', 'soak'],
    test: {
      name: 'pages',
      include: [
        'test/renderer-core/{capture,render}/**/*.test.ts',
        ...checksOfPages,
        'test/preview/*.test.ts',
        'test/fidelity/**/*.test.ts',
      ],
      exclude: [...testsWithOwnBrowsers, ...testsWithoutPages, ...soakFiles],
      // The files of a worker share a browser.
      isolate: false,
      ...slowTimeouts,
    },
  },
  {
    suite: 'full',
    tags: ['core', 'soak'],
    test: { name: 'browsers', include: testsWithOwnBrowsers, exclude: soakFiles, ...slowTimeouts },
  },
  {
    suite: 'full',
    tags: ['core'],
    test: {
      name: 'service',
      globalSetup: './test/support/service/servicePages.ts',
      include: ['test/cloud/service/integration/{pagesInBrowser,wholePath}.test.ts'],
      ...slowTimeouts,
    },
  },
  {
    suite: 'full',
    test: {
      name: 'full-unit',
      globalSetup: './test/support/service/servicePages.ts',
      include: fullUnitTests,
      ...slowTimeouts,
    },
  },
  {
    suite: 'full',
    test: {
      name: 'systems',
      globalSetup: [
        './test/support/service/servicePages.ts',
        './test/support/servers/sharedPostgres.ts',
        './test/support/servers/sharedCeph.ts',
        './test/aws/lambdaProgram.ts',
      ],
      include: ['test/**/integration/**/*.test.ts'],
      exclude: [...soakFiles, 'test/cloud/service/integration/{pagesInBrowser,wholePath}.test.ts'],
      ...slowTimeouts,
    },
  },
  {
    suite: 'full',
    test: {
      name: 'acceptance',
      globalSetup: [
        './test/support/service/servicePages.ts',
        './test/support/servers/sharedCeph.ts',
        './test/acceptance/packedCli.ts',
      ],
      include: ['test/acceptance/**/*.test.ts'],
      exclude: soakFiles,
      ...slowTimeouts,
    },
  },
  {
    suite: 'soak',
    test: {
      name: 'soak',
      globalSetup: [
        './test/support/service/servicePages.ts',
        './test/support/servers/sharedPostgres.ts',
        './test/support/servers/sharedCeph.ts',
        './test/aws/lambdaProgram.ts',
        './test/acceptance/packedCli.ts',
      ],
      include: soakFiles,
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  },
];

/** The SDK of AWS warns of the version of Node that the project supports. */
const env = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };

const notHere = process.platform === 'win32' ? Object.keys(notOnWindows).map((path) => path.replace(/\/$/, '/**')) : [];

/** Selects the tests of a project that belong to the suite; undefined: all; null: none. */
function tagsOf({ suite, tags = [] }: Project, mode: string): string[] | undefined | null {
  if (mode !== 'core' && mode !== 'full' && mode !== 'soak') return undefined;
  if (mode !== suite) return tags.includes(mode) ? [mode] : null;
  return tags.length > 0 ? [tags.map((tag) => `!${tag}`).join(' && ')] : undefined;
}

export default defineConfig(({ mode }) => ({
  test: {
    // Vitest's default leaves one core idle; most tests wait for other processes half of the time.
    maxWorkers: 2,
    reporters: [new SuiteReporter()],
    tags: [
      { name: 'core', description: 'belongs to `npm test`' },
      { name: 'full', description: 'belongs to `npm run test:full`' },
      { name: 'soak', description: 'belongs to `npm run test:soak`' },
    ],
    projects: projects.flatMap((project): TestProjectConfiguration[] => {
      const tagsFilter = tagsOf(project, mode);
      const exclude = [...(project.test.exclude ?? []), ...notHere];
      return tagsFilter === null
        ? []
        : [{ test: { env, ...project.test, exclude, ...(tagsFilter ? { tagsFilter } : {}) } }];
    }),
  },
}));
