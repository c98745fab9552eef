import { createServer, type ServerResponse } from 'node:http';
import type { FontService } from '../../../renderer-core/fonts/googleFont.ts';
import { listenInTest } from './listen.ts';

/** Replaces an answer. */
export type Answer = { text: string } | { status: number } | { location: string };

export type GoogleFonts = {
  service: FontService;
  /** The styles of each family: `400`, or `400 italic`. */
  families: Map<string, string[]>;
  /** Whether all weights of a family are in one file. */
  isVariable: boolean;
  /** Paths of the requests in order. */
  asked: string[];
  /** Replaces the answer to the request of a path. */
  answer: (path: string) => Answer | undefined;
  /** The style sheet of one style. */
  sheet(family: string, style: string): string;
};

/** Runs until the test ends. */
export async function startGoogleFonts(): Promise<GoogleFonts> {
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    google.asked.push(pathname);
    const other = google.answer(pathname);
    if (other) send(other, response);
    else if (pathname === '/css2') {
      // Only browsers get WOFF2.
      const sheet = sheetFor(searchParams.get('family') ?? '', google);
      const isBrowser = headers['user-agent']?.includes('Chrome/') === true;
      if (sheet === undefined) response.writeHead(400).end('The requested font families are not available.');
      else response.end(isBrowser ? sheet : sheet.replaceAll('woff2', 'ttf'));
    } else response.end(`wOF2 ${pathname.replace(/^.*\/|\.woff2$/g, '').replaceAll('-', ' ')}`);
  });
  const origin = await listenInTest(server);
  const google: GoogleFonts = {
    service: { sheets: origin, files: origin, network: 'any' },
    families: new Map(),
    isVariable: false,
    asked: [],
    answer: () => undefined,
    sheet: (family, style) => ['cyrillic', 'latin'].map((characters) => face(family, style, characters)).join(''),
  };
  const face = (family: string, style: string, characters: string): string => {
    const [weight = '', slant = 'normal'] = style.split(' ');
    const file = `${characters}-${google.isVariable ? 'all' : weight}-${slant}`;
    return `/* ${characters} */
@font-face {
  font-family: '${family}';
  font-style: ${slant};
  font-weight: ${weight};
  font-display: block;
  src: url(${origin}/s/${family.toLowerCase().replaceAll(' ', '')}/v1/${file}.woff2) format('woff2');
  unicode-range: ${characters === 'latin' ? 'U+0000-00FF, U+0131' : 'U+0301, U+0400-045F'};
}
`;
  };
  return google;
}

/** `family`: `Test Serif:wght@400`, or `Test Serif:ital,wght@1,400`. One unknown style is an error. */
function sheetFor(family: string, { families, sheet }: GoogleFonts): string | undefined {
  const [, name = '', weight, italic] = /^([^:]*):(?:wght@(\d+)|ital,wght@1,(\d+))$/.exec(family) ?? [];
  const style = italic === undefined ? `${weight}` : `${italic} italic`;
  return families.get(name)?.includes(style) ? sheet(name, style) : undefined;
}

function send(answer: Answer, response: ServerResponse): void {
  if ('text' in answer) response.end(answer.text);
  else if ('status' in answer) response.writeHead(answer.status).end();
  else response.writeHead(302, { location: answer.location }).end();
}
