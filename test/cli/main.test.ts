// Help, version, unknown commands, and how errors end the program.
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { commands } from '../../renderer-core/cli/commands.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { cli } from './cli.ts';

test('the version is that of the package', async () => {
  const expected = { status: 0, stdout: `${manifest.version}\n`, stderr: '' };
  expect(await cli(['--version'])).toEqual(expected);
  expect(await cli(['-v'])).toEqual(expected);
  expect(await cli(['render', '--version'])).toEqual(expected);
});

test('help', async () => {
  const { status, stdout } = await cli(['--help']);
  expect(status).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Make videos out of HTML compositions with typed variables.

    Usage: framework <command> [options]

    Commands:
      render                   Render a composition to a video file or a folder of frames
      preview                  Show a composition in the browser as it will be rendered, and follow
                               every change
      snapshot                 Take single frames of a render as pictures
      lint                     Check compositions: variables, timing, embedded files, assets, scripts
      auth login               Sign in to the hosted service, in the browser unless told otherwise
      auth status              Show who is signed in, by which credential, and what is left to spend
      auth refresh             Exchange the tokens of the sign-in for new ones now, as before a long job
      auth logout              Sign out: revoke the tokens at the service and forget the stored
                               credential
      cloud render             Render a project by the hosted service and download the video
      cloud list               List the renders of the account, newest first
      cloud get                Show all about a render, with a fresh URL of its video; or download that
      cloud delete             Delete a render: it is gone from lists, and its video can no longer be
                               fetched
      serve                    Run the hosted rendering service on this machine
      serve account add        Make an account; the password is asked for, or read from standard input
      serve key add            Make an API key for an account; it is shown once
      serve key list           List the API keys of an account
      serve key revoke         Revoke an API key, from now on
      serve credits            Show the credits of an account, or add to them
      serve webhooks           List webhooks and every attempt to deliver them, or deliver one again
      serverless deploy        Deploy the render stack into an AWS account and region, or bring it up to
                               date
      serverless destroy       Take the stack away; the bucket with its results stays
      serverless policies      Print the IAM actions that the commands need, as policies to attach
      serverless sites create  Upload a project once and print its id
      serverless render        Start one render; prints its id and returns, or waits for the video
      serverless progress      Tell how far a render is, what it costs, and what went wrong
      serverless render-batch  Start one render for each line of a JSONL file
      doctor                   Check that this machine can render, and say what to do where it cannot
      completion               Print a script that completes commands and options in a shell

    Options:
      -h, --help     Show help
      -v, --version  Show the version

    framework <command> --help tells more about a command.
    "
  `);
  expect((await cli([])).stdout).toBe(stdout);
  expect((await cli(['help'])).stdout).toBe(stdout);
});

test('help of each command', async () => {
  expect((await cli(['render', '--help'])).stdout).toMatchInlineSnapshot(`
    "Render a composition to a video file or a folder of frames.

    Usage: framework render [dir] [options]

    Arguments:
      dir  Project folder (default: the current one)

    Options:
      -c, --composition <path>     Composition inside the project (default: index.html)
          --variables <json>       Values of variables, a JSON object
          --variables-file <path>  File with such an object; - reads standard input
          --strict-variables       Fail on a value that no declaration fits, instead of warning
      -o, --output <path>          Where to write (default: renders/<composition>.<ext>)
          --fps <rate>             Frames per second: 30, 29.97 or 30000/1001
          --format <name>          mp4, webm, mov, gif, png (default: by the extension of the output)
          --codec <name>           Video codec: mp4 h264, h265, av1; webm vp9, av1; mov prores
          --hdr                    HDR: 10-bit BT.2020 PQ, in mp4 with h265
      -q, --quality <name>         draft, standard, high (default: standard)
          --workers <n>            Pages that capture at once (default: chosen from the machine)
          --capture <how>          How frames are taken: auto, paint or screenshot (default: auto)
          --progress <how>         Progress on standard error: auto, plain, ndjson or none (default:
                                   auto)
          --json                   Print one JSON document on standard output: the report, or the error
          --batch <file>           Render one video for each row of a JSON, JSONL or CSV file; --output
                                   takes {key} and {index}
          --batch-concurrency <n>  Rows that render at once (default: 1)
          --batch-fail-fast        Start no further row once one has failed
          --resume                 Render only the rows of a batch that are not completed yet
          --dry-run                Check everything and print the plan; render nothing
          --quiet                  Print only the path of the output, warnings and errors
          --browser <path>         Browser executable to use (else FRAMEWORK_BROWSER, else one is found)
          --ffmpeg <path>          ffmpeg executable to use (else FRAMEWORK_FFMPEG, else one is found)
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
    "Check that this machine can render, and say what to do where it cannot.

    Usage: framework doctor [options]

    Options:
          --json            Print one JSON document on standard output
          --browser <path>  Browser executable to use (else FRAMEWORK_BROWSER, else one is found)
          --ffmpeg <path>   ffmpeg executable to use (else FRAMEWORK_FFMPEG, else one is found)
      -h, --help            Show help
      -v, --version         Show the version

    Example:
      framework doctor
    "
  `);
  expect((await cli(['completion', '-h'])).stdout).toMatchInlineSnapshot(`
    "Print a script that completes commands and options in a shell.

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

test('help is given even where the rest of the line is wrong, but not behind --', async () => {
  expect((await cli(['render', '--nope', '--help'])).status).toBe(0);
  expect((await cli(['doctor', '--', '--help'])).status).toBe(2);
});

test('a line of help is at most 100 columns', async () => {
  for (const { name } of commands) {
    for (const line of (await cli(['help', ...name.split(' ')])).stdout.split('\n')) {
      expect(line.length, line).toBeLessThanOrEqual(100);
    }
  }
});

async function checkUsage(argv: string[], message: string, hint: string) {
  expect(await cli(argv)).toEqual({ status: 2, stdout: '', stderr: `error: ${message}\nhint: ${hint}\n` });
}

test('unknown commands', async () => {
  await checkUsage(['rendr'], 'unknown command "rendr"', 'Did you mean "framework render"?');
  await checkUsage(['help', 'docter'], 'unknown command "docter"', 'Did you mean "framework doctor"?');
  await checkUsage(['cloudy'], 'unknown command "cloudy"', 'Did you mean "framework cloud"?');
  await checkUsage(['cloud', 'lst'], 'unknown command "cloud lst"', 'Did you mean "framework cloud list"?');
  await checkUsage(
    ['paint'],
    'unknown command "paint"',
    `Commands: ${[...new Set(commands.map(({ name }) => name.split(' ')[0]))].join(', ')}. See framework --help`,
  );
  await checkUsage(['--output', 'x'], 'unknown option --output', 'Options follow a command: framework render --help');
});

function failing(error: unknown) {
  return { renderVideo: () => Promise.reject(error) };
}

test('an error for users: place, message, hint, status by its code', async () => {
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

test('an unexpected error is called internal; its stack only for debugging', async () => {
  const cause = new TypeError('deep down');
  const engine = failing(new Error('boom', { cause }));
  const plain = await cli(['render'], { engine });
  expect(plain).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'internal error: boom\nhint: This is a fault of framework itself. Run again with FRAMEWORK_DEBUG=1 to see where it happened.\n',
  });
  const debug = await cli(['render'], { engine, env: { FRAMEWORK_DEBUG: '1' } });
  expect(debug.stderr).toMatch(
    /internal error: boom\n\nError: boom\n {4}at [\s\S]*caused by:\nTypeError: deep down\n {4}at /,
  );
  const json = await cli(['render', '--json'], { engine });
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'internal_error', message: 'boom' } });
});

test('--json reports an option that could not be read too', async () => {
  const run = await cli(['render', '--workers', '0', '--json']);
  expect(run.status).toBe(2);
  expect(JSON.parse(run.stdout)).toEqual({
    error: { code: 'usage', message: '--workers cannot be "0"', hint: 'It takes a whole number from 1 up.' },
  });
});

test('colours: on a terminal, NO_COLOR off, FORCE_COLOR on', async () => {
  const red = '\x1b[31merror:\x1b[39m';
  expect((await cli(['rendr'], { tty: true })).stderr).toContain(red);
  expect((await cli(['rendr'], { tty: true, env: { NO_COLOR: '1' } })).stderr).not.toContain('\x1b[');
  expect((await cli(['rendr'], { tty: true, env: { TERM: 'dumb' } })).stderr).not.toContain('\x1b[');
  expect((await cli(['rendr'], { env: { FORCE_COLOR: '1' } })).stderr).toContain(red);
  expect((await cli(['rendr'], { tty: true, env: { FORCE_COLOR: '0' } })).stderr).not.toContain('\x1b[');
});
