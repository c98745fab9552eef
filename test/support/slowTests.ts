/**
 * Tests that take more than two seconds on a quiet machine with two cores, with the reason. A key is the beginning of
 * "<file>: <full title>", so it can be a test, the tests of a file, or those of a folder.
 */
export const slowTests: Record<string, string> = {
  'test/acceptance/':
    'each sentence runs commands of the packed package, most of them with a browser, a service or a deployed stack',
  'test/architecture/words.test.ts': 'reads all texts of the repository',
  'test/cli/fontsAdd.test.ts': 'waits for a registry that does not answer',
  'test/client/strings.test.ts: has the texts of the sources in the bundle':
    'a tool parses all sources of the extension',
  'test/cloud/client/download.test.ts: resumes after each lost connection': 'waits before each of its attempts',
  'test/cloud/service/backup/backup.test.ts: has every file of its rows':
    'backs up while others upload and delete for seconds',
  'test/cloud/service/integration/': 'renders in processes of their own, on PostgreSQL or with a browser that signs in',
  'test/cloud/service/pages/signInLimits.test.ts': 'hashes dozens of passwords, which is slow on purpose',
  'test/cloud/service/queue/diskWatch.test.ts: ends a render with too many empty folders': 'creates the folders',
  'test/cloud/service/storage/projectVariables.test.ts: knows nothing of a project that takes too long':
    'waits for that limit',
  'test/e2e/': 'runs commands as processes, most of them with a browser',
  'test/fidelity/colors.test.ts': 'plays each file in a browser',
  'test/fidelity/fidelity.test.ts':
    'captures each page three times, in fresh tabs; footage, frameworks and WebGL take longest',
  'test/fidelity/startFrames.test.ts':
    'captures each page in one piece, in chunks and from a frame on, and previews it',
  'test/preview/exact.test.ts': 'renders examples, and compares the preview with their frames',
  'test/preview/': 'opens the preview in a browser and waits until it rests',
  'test/release/': 'packs and installs the package',
  'test/renderer-core/capture/compareFrames.test.ts: of scenes: captures all scenes':
    'captures a hundred scenes for the other tests',
  'test/renderer-core/project/remote/publicLookup.test.ts': 'waits for name servers that do not answer',
  'test/renderer-core/render/batch.test.ts': 'renders several rows, some of them twice',
  'test/renderer-core/render/chunkRender.test.ts': 'renders each chunk in a browser of its own, as other machines do',
  'test/renderer-core/render/examples.test.ts': 'the examples have 1080p frames',
  'test/renderer-core/render/renderHost.test.ts': 'starts processes with browsers, and ends them',
  'test/renderer-core/render/robustness.test.ts': 'each test starts a browser, and many end it',
  'test/renderer-core/render/sampleFrames.test.ts: takes screenshots if a frame changes':
    'renders by both capture paths',
  'test/renderer-core/render/snapshot.test.ts': 'renders the video that the snapshots must equal',
  'test/renderer-core/render/thumbnail.test.ts: a render reports the time': 'needs a composition of several seconds',
  'test/renderer-core/render/': 'renders a video in a browser of its own, or by several paths to compare them',
  'test/renderer-core/setup/npmInstall.test.ts': 'runs npm',
  'test/serverless/integration/': 'runs the function of the stack as Lambda would, with a browser in each',
  'test/serverless/template.test.ts': 'checks the template with a linter for CloudFormation',
  'test/vscode/': 'drives a real VS Code',
};
