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
  'test/cloud/service/storage/projectCheck.test.ts: knows no variables of a project that takes too long':
    'waits for that limit',
  'test/e2e/image.test.ts': 'builds an image with packages of Debian and npm',
  'test/e2e/jsonOutput.test.ts': 'runs several commands as processes, with a browser',
  'test/e2e/mcp.test.ts': 'starts the server as a process, with a browser',
  'test/e2e/outputs.test.ts': 'runs commands as processes, with a browser',
  'test/e2e/renderDialog.test.ts': 'measures the contrast of whole pages',
  'test/e2e/runners.test.ts': 'renders each chunk in a process of its own, as runners do',
  'test/e2e/setup.test.ts': 'downloads programs and renders with them',
  'test/e2e/webviews.test.ts': 'measures the contrast of whole pages',
  'test/fidelity/colors.test.ts': 'plays each file in a browser',
  'test/fidelity/fidelity.test.ts':
    'captures each page three times, in fresh tabs; footage, frameworks and WebGL take longest',
  'test/fidelity/startFrames.test.ts':
    'captures each page in one piece, in chunks and from a frame on, and previews it',
  'test/preview/clients.test.ts': 'several pages show one preview',
  'test/preview/clipEditing.test.ts: moves, trims': 'waits until the page rests after each key',
  'test/preview/exact.test.ts': 'renders frames, and compares the preview with them',
  'test/preview/fonts.test.ts': 'opens the preview in a browser of its own',
  'test/preview/preview.test.ts': 'the preview reloads several times',
  'test/release/': 'packs and installs the package',
  'test/renderer-core/check/checkedPages.test.ts: sizes': 'checks the page in each of its sizes',
  'test/renderer-core/capture/browserProcesses.test.ts': 'starts a browser for each test, and ends it',
  'test/renderer-core/capture/page/compareFrames.test.ts: of scenes: captures all scenes':
    'captures a hundred scenes for the other tests',
  'test/renderer-core/project/remote/publicLookup.test.ts': 'waits for name servers that do not answer',
  'test/renderer-core/render/features/anime.test.ts: renders the same frames of anime.js with any chunks':
    'renders in several divisions',
  'test/renderer-core/render/aspectRatio.test.ts: twice the size': 'frames of twice the size',
  'test/renderer-core/render/features/backgroundVideo.test.ts': 'renders each video with and without a feature',
  'test/renderer-core/render/batch/batch.test.ts': 'renders several rows, some of them twice',
  'test/renderer-core/render/features/canvas.test.ts: three.js renders the same frames': 'renders in several divisions',
  'test/renderer-core/render/chunks/chunkRender.test.ts':
    'renders each chunk in a browser of its own, as other machines do',
  'test/renderer-core/render/page/clock.test.ts: renders the same frames with any chunks':
    'renders in several divisions',
  'test/renderer-core/render/copyVideo.test.ts': 'renders a video and copies it',
  'test/renderer-core/render/page/deliveryOfProjects.test.ts': 'renders each project in many orders of delivery',
  'test/renderer-core/render/features/featuresOff.test.ts': 'renders each video with and without a feature',
  'test/renderer-core/render/files/environment.test.ts':
    'replaces the browser and ffmpeg with programs that start them',
  'test/renderer-core/render/examples.test.ts': 'the examples have 1080p frames',
  'test/renderer-core/render/extract.test.ts': 'renders a composition before and after',
  'test/renderer-core/render/formats.test.ts': 'encodes AV1 and VP9, also in high quality',
  'test/renderer-core/render/features/lottie.test.ts': 'renders in several divisions',
  'test/renderer-core/render/features/media.test.ts: plays no media in real time':
    'requests a file fifty times before the first frame',
  'test/renderer-core/render/features/mediaFacts.test.ts': 'opens pages that start at each frame',
  'test/renderer-core/render/memory.test.ts': 'renders a minute of video',
  'test/renderer-core/render/files/network.test.ts': 'runs the command line, each time with a browser',
  'test/renderer-core/render/files/projectFonts.test.ts': 'renders twice, to compare',
  'test/renderer-core/render/files/remoteFiles.test.ts: remote files': 'renders with and without a network',
  'test/renderer-core/render/host/renderHost.test.ts': 'starts processes with browsers, and ends them',
  'test/renderer-core/render/repeat.test.ts': 'renders a video many times',
  'test/renderer-core/render/resolution.test.ts: draws 4K': '4K frames',
  'test/renderer-core/render/chunks/killedRender.test.ts': 'runs commands as processes, and kills some',
  'test/renderer-core/render/chunks/resumedRender.test.ts': 'ends renders in processes of their own',
  'test/renderer-core/render/robustness.test.ts': 'each test starts a browser, and many end it',
  'test/renderer-core/render/chunks/sameFrames.test.ts': 'renders each project in many divisions',
  'test/renderer-core/render/chunks/sampleFrames.test.ts: takes screenshots if a frame changes':
    'renders by both capture paths',
  'test/renderer-core/render/session.test.ts': 'each test starts a browser',
  'test/renderer-core/render/features/skippedFrames.test.ts: takes the same snapshot':
    'renders with and without a feature',
  'test/renderer-core/render/snapshot/snapshot.test.ts': 'renders the video that the snapshots must equal',
  'test/renderer-core/render/sound.test.ts: writes the same audio': 'renders twice, several seconds',
  'test/renderer-core/render/snapshot/thumbnail.test.ts: a render reports the time':
    'needs a composition of several seconds',
  'test/renderer-core/render/features/topLayer.test.ts': 'renders by both capture paths',
  'test/renderer-core/render/video.test.ts': 'renders a video by several ways, to compare them',
  'test/renderer-core/setup/npmInstall.test.ts': 'runs npm',
  'test/server/stress.test.ts': 'edits a large file 200 times, with a small heap',
  'test/torture/short.test.ts': 'kills processes of the service while it renders',
  'test/serverless/integration/': 'runs the function of the stack as Lambda would, with a browser in each',
  'test/serverless/deploy/template.test.ts': 'checks the template with a linter for CloudFormation',
  'test/vscode/': 'drives a real VS Code',
};
