// Help, version, unknown commands, and error output.
import { expect, test } from 'vitest';
import { commands } from '../../cli/commandTable.ts';
import manifest from '../../package.json' with { type: 'json' };
import { UserError } from '../../renderer-core/errors.ts';
import { cli } from './cli.ts';

test('prints the version of the package', async () => {
  const expected = { status: 0, stdout: `${manifest.version}\n`, stderr: '' };
  expect(await cli(['--version'])).toEqual(expected);
  expect(await cli(['-v'])).toEqual(expected);
  expect(await cli(['render', '--version'])).toEqual(expected);
});

test('prints the help of the program', async () => {
  const { status, stdout } = await cli(['--help']);
  expect(status).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Render HTML compositions with typed variables to video.

    Usage: framework <command> [options]

    Commands:
      new                        Create a project from an example; never overwrites files
      add                        Add a block of the catalog to a composition, or list the catalog
      render                     Render a composition to a video file or a folder (HLS, frames)
      preview                    Preview a composition in the browser and reload it on every change
      snapshot                   Save single frames of a composition as images
      thumbnail                  Save a frame of a finished video as an image
      variables                  List compositions with their variables and embedded compositions
      lint                       Check compositions: variables, timing, embedded files, assets, scripts
      check                      Look at what a composition shows, also with the values of many rows:
                                 text, contrast, clips, sound
      sounds                     List the sounds of a video: when each begins and ends, its loudness and
                                 its peak
      fonts                      List the font families of a project and where each of them comes from
      fonts add                  Add a free font family to a project: its files, a style sheet that
                                 declares them, and the license
      auth login                 Sign in to the hosted service, by default in the browser
      auth status                Show the signed-in user, the credential and the remaining credits
      auth refresh               Refresh the access tokens now, for example before a long job
      auth logout                Sign out: revoke the tokens and delete the stored credential
      cloud render               Render a project on the hosted service and download the video
      cloud list                 List the renders of the account, newest first
      cloud get                  Show a render with a fresh URL of its video, or download the video
      cloud delete               Delete a render and its video
      serve                      Run the hosted rendering service on this machine
      serve account add          Create an account; reads the password from a hidden prompt or stdin
      serve account list         List the accounts with their credits and renders
      serve account suspend      Reject the requests and sign-ins of an account; its queued renders wait
      serve account resume       End the suspension of an account
      serve account hosts        Show or set the hosts from which pages of an account may load files
      serve account password     Change the password of an account; reads it from a hidden prompt or
                                 stdin
      serve account export       Print everything stored about an account as JSON, without secrets
      serve account delete       Delete an account with its projects, renders and videos
      serve key add              Create an API key for an account; it is shown only once
      serve key list             List the API keys of an account
      serve key revoke           Revoke one or all API keys of an account
      serve signing-keys rotate  Replace the keys that sign URLs, cookies and tokens; restart the
                                 service afterwards
      serve credits              Show or change the credits of an account
      serve webhooks             List webhook deliveries with their attempts, or redeliver one
      serve backup               Write a backup of the database and files to a new folder, while the
                                 service runs
      serve restore              Replace the data of a stopped service by a backup, and keep the data of
                                 before
      chunks plan                Upload a project and plan the chunks of its video, for any machines
      chunks render              Render one chunk of a job; again or twice at once is harmless
      chunks join                Join the chunks of a job to its video
      chunks status              Show which chunks of a job are rendered
      serverless deploy          Deploy or update the render stack in an AWS account and region
      serverless destroy         Delete the stack; keep the results bucket
      serverless quotas          Show the quotas of the account that limit renders, and request more
                                 workers
      serverless policies        Print IAM policies with the actions that the commands need
      serverless webhook-secret  Show the secret that signs the webhooks of renders
      serverless sites create    Upload a project and print its site id
      serverless sites list      List the uploaded projects
      serverless sites delete    Delete an uploaded project, and its files that no other one uses
      serverless render          Start a render and print its id, or wait for the video
      serverless progress        Show the progress, cost and errors of a render
      serverless list            List the renders of the last 90 days, newest first
      serverless cancel          Cancel a running render; resume continues it
      serverless resume          Continue a failed or cancelled render without repeating its finished
                                 chunks
      serverless render-batch    Start one render for each line of a JSONL file
      doctor                     Check whether this machine can render, and suggest fixes
      setup                      Install the browser, ffmpeg and fonts that this machine lacks
      mcp                        Run a Model Context Protocol (MCP) server for AI agents on stdin and
                                 stdout
      schema                     Print the JSON Schema of the --json output of a command
      completion                 Print a shell completion script

    Options:
      -h, --help     Show help
      -v, --version  Show the version

    Run framework <command> --help for the options of a command.
    "
  `);
  expect((await cli([])).stdout).toBe(stdout);
  expect((await cli(['help'])).stdout).toBe(stdout);
});

test('prints the help of a command', async () => {
  expect((await cli(['render', '--help'])).stdout).toMatchInlineSnapshot(`
    "Render a composition to a video file or a folder (HLS, frames).

    Usage: framework render [dir] [options]

    Arguments:
      dir  Project folder (default: current folder)

    Options:
      -c, --composition <path>     Composition file in the project (default: index.html)
          --variables <json>       Variable values, as a JSON object
          --variables-file <path>  JSON file with variable values; - reads stdin
          --strict-variables       Fail instead of warning if a value does not match its declaration
      -o, --output <path>          Output file or folder, a device or a pipe, or - for stdout (default:
                                   renders/<composition>.<ext>)
          --fps <rate>             Frames per second: 30, 29.97 or 30000/1001
          --from <time>            Start of the rendered part: seconds (2.5) or a frame number (75f)
                                   (default: the start)
          --to <time>              End of the rendered part, exclusive (default: the end)
          --resolution <name>      Pixels of the shorter side: 1080p, 4k (default: same as the
                                   composition)
          --width <n>              Width in pixels; the height follows from the aspect ratio
          --height <n>             Height in pixels; the width follows from the aspect ratio
          --aspect-ratio <ratio>   16:9, 9:16, 1:1 or any other width:height (default: same as the
                                   composition)
          --fit <name>             How the page fills another aspect ratio: contain, cover, stretch
                                   (default: contain)
          --background <color>     Color of the bars: #rrggbb, a CSS name or transparent (default: the
                                   page's background, or black)
          --all-sizes              Render one video for each size of data-sizes, such as out-16x9.mp4
                                   and out-9x16.mp4
          --format <name>          mp4, webm, mov, gif, hls, png (default: from the extension of
                                   --output)
          --codec <name>           Video codec: mp4 h264, h265, av1; webm vp9, av1; mov prores, h264;
                                   hls h264, h265
          --hdr[=pq|hlg]           HDR in BT.2020, in mp4 with h265 or av1, or mov with h265; the curve
                                   is PQ, or HLG with --hdr=hlg
          --bit-depth <n>          Bits of each color: 8 or 10, for h265, av1 and vp9 (default: 8; 10
                                   for HDR and ProRes)
          --loudness <LUFS>        Loudness of the sound in LUFS, such as --loudness=-14 (default: as it
                                   is mixed)
          --captions <kind>        Write the captions: embed (a track of the video), vtt or srt (a file
                                   next to it), or a path
      -q, --quality <name>         draft, standard, high (default: standard)
          --crf <n>                Rate factor: smaller numbers look better and make larger files
                                   (default: from --quality)
          --bitrate <rate>         Bits per second of the frames: 8M or 4500k (default: from --quality)
          --workers <n>            Number of pages that capture in parallel (default: chosen for this
                                   machine)
          --capture <mode>         Capture method: auto, paint or screenshot (default: auto)
          --gpu <mode>             Graphics card: auto (for WebGL, if there is one), on or off (default:
                                   auto; off for batches)
          --network <hosts>        Hosts that pages can reach: any, or public for projects of other
                                   people (default: any)
          --system-fonts           Use the fonts of this machine; text then differs between machines
          --timezone <name>        Time zone of the page (default: the root's data-timezone, or UTC)
          --locale <tag>           Language of the page (default: the root's data-locale, or en-US)
          --progress <mode>        Progress on stderr: auto, plain, ndjson or none (default: auto)
          --json                   Print one JSON document to stdout: the report, or the error
          --batch <file>           Render one video for each row of a JSON, JSONL, CSV or TSV file;
                                   --output takes {key} and {index}
          --rows <list>            With --batch: render only these rows, counted from 1, such as 1,3-5
          --batch-concurrency <n>  Maximum concurrent rows (default: 1)
          --invalid-rows <mode>    Rows with values that do not fit: defaults, skip or fail (default:
                                   defaults)
          --batch-fail-fast        Stop starting rows after the first failure
          --resume[=completed]     Continue a render that was killed; with --batch: render only rows
                                   that are not completed or whose inputs changed (=completed: ignore
                                   changed inputs)
          --check                  First look at what is shown, as framework check does, and render only
                                   if there are no errors
          --watch                  Render again after every change of the project, until Ctrl+C
          --dry-run                Check everything and print the plan, without rendering
          --quiet                  Print only the output path, warnings and errors
          --browser <path>         Browser executable (default: FRAMEWORK_BROWSER, or an installed one)
          --ffmpeg <path>          ffmpeg executable (default: FRAMEWORK_FFMPEG, or an installed one)
      -h, --help                   Show help
      -v, --version                Show the version

    Examples:
      framework render my-video -o out.mp4
      framework render my-video -o with-alpha.webm
      framework render my-video --variables '{"title":"Hello"}' --strict-variables
      framework render my-video --dry-run --json
      framework render my-video --batch rows.json -o 'renders/{name}.mp4'
    "
  `);
  expect((await cli(['help', 'doctor'])).stdout).toMatchInlineSnapshot(`
    "Check whether this machine can render, and suggest fixes.

    Usage: framework doctor [options]

    Options:
          --service         Also check whether framework serve can isolate renders on this machine
          --json            Print one JSON document to stdout
          --browser <path>  Browser executable (default: FRAMEWORK_BROWSER, or an installed one)
          --ffmpeg <path>   ffmpeg executable (default: FRAMEWORK_FFMPEG, or an installed one)
      -h, --help            Show help
      -v, --version         Show the version

    Examples:
      framework doctor
      framework doctor --service
    "
  `);
  expect((await cli(['completion', '-h'])).stdout).toMatchInlineSnapshot(`
    "Print a shell completion script.

    Usage: framework completion [shell] [options]

    Arguments:
      shell  bash, zsh, fish

    Options:
      -h, --help     Show help
      -v, --version  Show the version

    Examples:
      source <(framework completion bash)
      framework completion zsh > "\${fpath[1]}/_framework"
      framework completion fish > ~/.config/fish/completions/framework.fish
    "
  `);
});

test('prints help despite invalid arguments, but not after --', async () => {
  expect((await cli(['render', '--nope', '--help'])).status).toBe(0);
  expect((await cli(['doctor', '--', '--help'])).status).toBe(2);
});

test('wraps help at 100 columns', async () => {
  for (const { name } of commands) {
    for (const line of (await cli(['help', ...name.split(' ')])).stdout.split('\n')) {
      expect(line.length, line).toBeLessThanOrEqual(100);
    }
  }
});

async function checkUsage(argv: string[], message: string, hint: string) {
  expect(await cli(argv)).toEqual({ status: 2, stdout: '', stderr: `error: ${message}\nhint: ${hint}\n` });
}

test('suggests the nearest command', async () => {
  await checkUsage(['rendr'], 'unknown command "rendr"', 'Did you mean "framework render"?');
  await checkUsage(['help', 'docter'], 'unknown command "docter"', 'Did you mean "framework doctor"?');
  await checkUsage(['cloudy'], 'unknown command "cloudy"', 'Did you mean "framework cloud"?');
  await checkUsage(['cloud', 'lst'], 'unknown command "cloud lst"', 'Did you mean "framework cloud list"?');
  await checkUsage(
    ['paint'],
    'unknown command "paint"',
    `Commands: ${[...new Set(commands.map(({ name }) => name.split(' ')[0]))].join(', ')}. See framework --help`,
  );
  await checkUsage(
    ['--output', 'x'],
    'unknown option --output',
    'Options come after the command. See framework render --help',
  );
});

function failing(error: unknown) {
  return { renderVideo: () => Promise.reject(error) };
}

test('prints the location, message and hint of an error, and exits with the status of its code', async () => {
  const error = new UserError('asset_missing', 'logo.png does not exist\nand more', {
    hint: 'Add it.',
    place: { file: 'index.html', line: 3, column: 9 },
  });
  const run = await cli(['render'], { engine: failing(error) });
  expect(run).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: index.html:3:9: logo.png does not exist\n  and more\nhint: Add it.\n',
  });
  const json = await cli(['render', '--json', '--progress', 'none'], { engine: failing(error) });
  expect(json.status).toBe(1);
  expect(json.stdout).toBe(
    `${JSON.stringify({
      error: {
        code: 'asset_missing',
        message: 'logo.png does not exist\nand more',
        hint: 'Add it.',
        place: { file: 'index.html', line: 3, column: 9 },
      },
    })}\n`,
  );
});

test('reports an unexpected error as internal, with its stack only for debugging', async () => {
  const cause = new TypeError('deep down');
  const engine = failing(new Error('boom', { cause }));
  const plain = await cli(['render'], { engine });
  expect(plain).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'internal error: boom\nhint: This is a bug in framework. Run the command again with FRAMEWORK_DEBUG=1 for a stack trace.\n',
  });
  const debug = await cli(['render'], { engine, env: { FRAMEWORK_DEBUG: '1' } });
  expect(debug.stderr).toMatch(
    /internal error: boom\n\nError: boom\n {4}at [\s\S]*caused by:\nTypeError: deep down\n {4}at /,
  );
  const json = await cli(['render', '--json'], { engine });
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'internal_error', message: 'boom' } });
});

test('prints an invalid option as JSON with --json', async () => {
  const run = await cli(['render', '--workers', '0', '--json']);
  expect(run.status).toBe(2);
  expect(JSON.parse(run.stdout)).toEqual({
    error: {
      code: 'usage',
      message: '--workers must be a whole number, at least 1 (got "0")',
      hint: 'See framework render --help',
    },
  });
});

test('rejects a port that does not exist', async () => {
  const { status, stderr } = await cli(['preview', '--port', '99999']);
  expect(stderr.split('\n')[0]).toBe('error: --port must be a whole number from 0 to 65535 (got "99999")');
  expect(status).toBe(2);
});

test('prints colors on a terminal, and follows NO_COLOR and FORCE_COLOR', async () => {
  const red = '\x1b[31merror:\x1b[39m';
  expect((await cli(['rendr'], { tty: true })).stderr).toContain(red);
  expect((await cli(['rendr'], { tty: true, env: { NO_COLOR: '1' } })).stderr).not.toContain('\x1b[');
  expect((await cli(['rendr'], { tty: true, env: { TERM: 'dumb' } })).stderr).not.toContain('\x1b[');
  expect((await cli(['rendr'], { env: { FORCE_COLOR: '1' } })).stderr).toContain(red);
  expect((await cli(['rendr'], { tty: true, env: { FORCE_COLOR: '0' } })).stderr).not.toContain('\x1b[');
});
