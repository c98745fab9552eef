// Requests to the service: allowed ones, made from its OpenAPI document; allowed ones with small changes; and hostile ones.
import fc from 'fast-check';
import { type NamedOperation, type OpenApiDocument, operationsOf } from '../support/service/openApi.ts';
import { allowed, hostile, hostileText, jsonText } from './fuzzValues.ts';
import { archiveOf, shortVideos } from './projects.ts';

/** IDs of the service are only known when a request is sent. Until then, `⟦asset 3⟧` stands for one of an account. */
export type Reference = { kind: 'asset' | 'render' | 'token' | 'key' | 'file'; account: number; index: number };

export const reference = ({ kind, account, index }: Reference): string => `⟦${kind} ${account} ${index}⟧`;
export const referencePattern = /⟦(asset|render|token|key|file) (\d+) (\d+)⟧/g;

export type Manner = 'allowed' | 'changed' | 'hostile' | 'raw';

export type FuzzRequest = {
  manner: Manner;
  /** The sender, whose key is sent unless the headers were changed. */
  account: number;
  method: string;
  /** With the query. */
  path: string;
  headers: [name: string, value: string][];
  body: Buffer | string | undefined;
  /** Sent as it is over a socket, instead of everything else. */
  raw?: string;
  /** The character of the path that is replaced after references were: signed URLs must not work any more. */
  flipped?: number;
  /** The client closes the connection while it sends the body. */
  isCut?: boolean;
};

export const accountCount = 3;
const indexes = 20;
const accounts = fc.nat({ max: accountCount - 1 });

const placeholder = (kind: Reference['kind'], account: fc.Arbitrary<number>): fc.Arbitrary<string> =>
  fc.record({ kind: fc.constant(kind), account, index: fc.nat({ max: indexes - 1 }) }).map(reference);

export function requests(document: OpenApiDocument): fc.Arbitrary<FuzzRequest> {
  const operations = operationsOf(document);
  const one = (manner: Manner) =>
    fc.tuple(fc.constantFrom(...operations), accounts).chain(([operation, account]) => {
      const valid = allowedRequest(operation, account, document);
      if (manner === 'allowed') return valid;
      return manner === 'changed' ? changed(valid, account) : changed(changed(valid, account), account, 'hostile');
    });
  return fc.oneof(
    { weight: 30, arbitrary: one('allowed') },
    { weight: 35, arbitrary: one('changed') },
    { weight: 30, arbitrary: one('hostile') },
    { weight: 5, arbitrary: rawRequest },
    { weight: 2, arbitrary: fileRequest },
  );
}

function allowedRequest(
  { method, path, operation }: NamedOperation,
  account: number,
  document: OpenApiDocument,
): fc.Arbitrary<FuzzRequest> {
  const kind = path.startsWith('/v3/assets') ? 'asset' : 'render';
  const parameters = operation.parameters ?? [];
  const texts = (place: string) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => [name, parameterValue(name, schema, account, document)]),
      ),
      { requiredKeys: [] },
    );
  return fc
    .record({
      // Mostly own objects, and some of others.
      id: placeholder(
        kind,
        fc.oneof({ weight: 3, arbitrary: fc.constant(account) }, { weight: 1, arbitrary: accounts }),
      ),
      query: texts('query'),
      headers: texts('header'),
      body: bodyOf(operation, account, document),
    })
    .map(({ id, query, headers, body }) => ({
      manner: 'allowed' as const,
      account,
      method,
      path: `${path.replace('{id}', id)}${queryText(query as Record<string, string>)}`,
      headers: [
        ['x-api-key', reference({ kind: 'key', account, index: 0 })],
        ...(body ? [['content-type', body.type] as [string, string]] : []),
        ...(Object.entries(headers) as [string, string][]),
      ],
      body: body?.content,
    }));
}

function parameterValue(
  name: string,
  schema: Record<string, unknown>,
  account: number,
  document: OpenApiDocument,
): fc.Arbitrary<string> {
  if (name === 'token')
    return placeholder(
      'token',
      fc.oneof({ weight: 3, arbitrary: fc.constant(account) }, { weight: 1, arbitrary: accounts }),
    );
  // Few, so that they are repeated, also by other accounts.
  if (name === 'Idempotency-Key') return fc.nat({ max: 200 }).map((number) => `key-${number}`);
  return allowed(schema, document).map(String);
}

/** References stay as they are until the request is sent. */
const queryText = (query: Record<string, string>): string => {
  const entries = Object.entries(query).map(
    ([name, value]) => `${name}=${value.includes('⟦') ? value : encodeURIComponent(value)}`,
  );
  return entries.length === 0 ? '' : `?${entries.join('&')}`;
};

type Body = { type: string; content: string | Buffer };

function bodyOf(
  { requestBody }: NamedOperation['operation'],
  account: number,
  document: OpenApiDocument,
): fc.Arbitrary<Body | undefined> {
  const { 'multipart/form-data': form, 'application/json': json } = requestBody?.content ?? {};
  if (form)
    return fc.constantFrom(...shortVideos).map((video) => formOf([{ name: 'file', content: archiveOf(video) }]));
  if (!json) return fc.constant(undefined);
  const asset = placeholder(
    'asset',
    fc.oneof({ weight: 4, arbitrary: fc.constant(account) }, { weight: 1, arbitrary: accounts }),
  );
  return fc.tuple(allowed(json.schema, document), asset, fc.boolean()).map(([order, asset_id, isSmall]) => {
    const whole = order as { project: { type: string } };
    const project = whole.project.type === 'asset_id' ? { type: 'asset_id', asset_id } : whole.project;
    // All options together rarely fit.
    const value = isSmall ? { project } : { ...whole, project };
    return { type: 'application/json', content: jsonText(value) };
  });
}

type Part = { name: string; content: Buffer; filename?: string };

function formOf(parts: readonly Part[], boundary = 'cut-here', end = `--${boundary}--\r\n`): Body {
  const content = Buffer.concat([
    ...parts.flatMap(({ name, content: bytes, filename = 'p.zip' }) => [
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, content };
}

type Change = (request: FuzzRequest) => FuzzRequest;

function changed(
  from: fc.Arbitrary<FuzzRequest>,
  account: number,
  manner: 'changed' | 'hostile' = 'changed',
): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(from, changes(account)).map(([request, change]) => ({ ...change(request), manner }));
}

function changes(account: number): fc.Arbitrary<Change> {
  const other = accounts.filter((each) => each !== account);
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.nat(), hostile).map(([at, value]) => changeField(at, value)) },
    { weight: 2, arbitrary: fc.tuple(hostileText, hostile).map(([name, value]) => addField(name, value)) },
    { weight: 3, arbitrary: textChange },
    {
      weight: 2,
      arbitrary: hostile.map(
        (value): Change =>
          (request) =>
            withBody(request, jsonText(value)),
      ),
    },
    { weight: 3, arbitrary: formChange },
    { weight: 2, arbitrary: header('content-type', fc.oneof(contentTypes, hostileText)) },
    { weight: 2, arbitrary: header('Idempotency-Key', hostileText) },
    { weight: 2, arbitrary: header('x-api-key', fc.oneof(fc.constant(''), hostileText, fc.constant('fk_wrong'))) },
    { weight: 1, arbitrary: header('Authorization', fc.oneof(fc.constant('Bearer x'), hostileText)) },
    {
      weight: 1,
      arbitrary: fc.tuple(headerNames, hostileText).chain(([name, value]) => header(name, fc.constant(value))),
    },
    {
      weight: 2,
      arbitrary: other.map(
        (each): Change =>
          (request) => ({ ...request, path: crossed(request.path, each) }),
      ),
    },
    { weight: 2, arbitrary: fc.tuple(queryNames, hostileText).map(([name, value]) => addQuery(name, value)) },
    { weight: 3, arbitrary: pathChange },
    {
      weight: 1,
      arbitrary: methods.map(
        (method): Change =>
          (request) => ({ ...request, method }),
      ),
    },
    { weight: 1, arbitrary: fc.constant<Change>((request) => ({ ...request, isCut: request.body !== undefined })) },
  );
}

const contentTypes = fc.constantFrom(
  ...['', 'text/plain', 'application/json; charset=utf-16', 'application/JSON', 'application/x-www-form-urlencoded'],
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="a',
    'application/xml',
    '*/*',
  ],
);
const headerNames = fc.constantFrom(
  ...[
    'accept',
    'accept-encoding',
    'content-encoding',
    'range',
    'if-match',
    'x-forwarded-for',
    'x-forwarded-proto',
    'cookie',
  ],
  ...[
    'origin',
    'expect',
    'content-length',
    'transfer-encoding',
    'x-http-method-override',
    'connection',
    'upgrade',
    'te',
  ],
);
const queryNames = fc.constantFrom('limit', 'token', 'id', '__proto__', 'limit[]', '', 'x');
const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND');

function header(name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Change> {
  return values.map(
    (value): Change =>
      (request) => ({
        ...request,
        headers: [...request.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase()), [name, value]],
      }),
  );
}

const crossed = (path: string, account: number): string => path.replaceAll(/⟦(\w+) \d+/g, `⟦$1 ${account}`);

const addQuery =
  (name: string, value: string): Change =>
  (request) => {
    const mark = request.path.includes('?') ? '&' : '?';
    return { ...request, path: `${request.path}${mark}${encode(name)}=${encode(value)}` };
  };

/** encodeURIComponent throws for unpaired surrogates. */
const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

const pathChange: fc.Arbitrary<Change> = fc
  .tuple(
    fc.oneof(
      hostileText.map((text) => encode(text).slice(0, 3000)),
      fc.constantFrom('%', '%00', '%2e%2e%2f', '..', '//', '%ff', ';x', '%25', '.json', 'rnd_', 'ast_'),
    ),
    fc.constantFrom('replace', 'append', 'prepend'),
  )
  .map(
    ([text, how]): Change =>
      (request) => {
        const [path = '', query] = request.path.split('?');
        const at = path.lastIndexOf('/');
        const next =
          how === 'replace'
            ? `${path.slice(0, at + 1)}${text}`
            : how === 'append'
              ? `${path}/${text}`
              : `/${text}${path}`;
        return { ...request, path: query === undefined ? next : `${next}?${query}` };
      },
  );

const withBody = (request: FuzzRequest, body: string | Buffer): FuzzRequest =>
  request.method === 'GET' ? request : { ...request, body };

/** Replaces one field of a JSON body, at any depth. */
const changeField =
  (at: number, value: unknown): Change =>
  (request) => {
    const root = objectOf(request);
    if (root === undefined) return request;
    const places = fieldsOf(root);
    const place = places[at % Math.max(1, places.length)];
    if (place) place.owner[place.name] = value;
    return withBody(request, jsonText(root));
  };

const addField =
  (name: string, value: unknown): Change =>
  (request) => {
    const root = objectOf(request);
    return root === undefined ? request : withBody(request, jsonText({ ...root, [name]: value }));
  };

type Fields = Record<string, unknown>;

function objectOf({ body }: FuzzRequest): Fields | undefined {
  // A body that was made deep by an earlier change would overflow the stack when it is written again.
  if (typeof body !== 'string' || body.includes('{"a":'.repeat(500))) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    // Already changed to something else.
    return undefined;
  }
}

function fieldsOf(owner: Fields, levels = 3): { owner: Fields; name: string }[] {
  return Object.entries(owner).flatMap(([name, value]) => {
    const inner =
      levels > 0 && typeof value === 'object' && value !== null ? fieldsOf(value as Fields, levels - 1) : [];
    return [{ owner, name }, ...inner];
  });
}

/** Changes to the text of a JSON body. */
const textChange: fc.Arbitrary<Change> = fc
  .tuple(
    fc.constantFrom('cut', 'more', 'bom', 'utf16', 'bytes', 'deep', 'large', 'twice', 'empty', 'comment'),
    fc.nat(),
  )
  .map(
    ([how, at]): Change =>
      (request) => {
        if (typeof request.body !== 'string') return request;
        const text = request.body;
        const bodies: Record<typeof how, () => string | Buffer> = {
          cut: () => text.slice(0, at % (text.length + 1)),
          more: () => `${text}}]x`,
          bom: () => `\ufeff${text}`,
          utf16: () => Buffer.from(text, 'utf16le'),
          bytes: () =>
            Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80])]),
          deep: () => '['.repeat(1 + (at % 100_000)),
          large: () => `${text.slice(0, -1)},"title":"${'x'.repeat(500_000 + (at % 50_000))}"}`,
          twice: () => `{"project":null,${text.slice(1)}`,
          empty: () => '',
          comment: () => `/* x */${text}`,
        };
        return withBody(request, bodies[how]());
      },
  );

/** Changes to an upload. */
const formChange: fc.Arbitrary<Change> = fc
  .tuple(
    fc.constantFrom('name', 'two', 'none', 'unended', 'cut', 'noise', 'filename', 'field', 'empty', 'boundary'),
    hostileText,
    fc.nat(),
    fc.uint8Array({ maxLength: 300 }),
  )
  .map(
    ([how, text, at, noise]): Change =>
      (request) => {
        if (!Buffer.isBuffer(request.body)) return request;
        const content = archiveOf(shortVideos[at % shortVideos.length] ?? (shortVideos[0] as never));
        const file = { name: 'file', content };
        const forms: Record<typeof how, () => Body> = {
          name: () => formOf([{ ...file, name: text.slice(0, 500) }]),
          two: () => formOf([file, file]),
          none: () => formOf([]),
          unended: () => formOf([file], 'cut-here', ''),
          cut: () => formOf([{ ...file, content: content.subarray(0, at % content.length) }]),
          noise: () => formOf([{ ...file, content: Buffer.concat([content.subarray(0, at % content.length), noise]) }]),
          filename: () => formOf([{ ...file, filename: text.slice(0, 500) }]),
          field: () => ({
            ...formOf([]),
            content: Buffer.from(
              `--cut-here\r\ncontent-disposition: form-data; name="file"\r\n\r\n${text}\r\n--cut-here--\r\n`,
            ),
          }),
          empty: () => formOf([{ ...file, content: Buffer.alloc(0) }]),
          boundary: () => ({ ...formOf([file]), type: 'multipart/form-data; boundary=other' }),
        };
        const { type, content: body } = forms[how]();
        const headers = request.headers.filter(([name]) => name !== 'content-type');
        return { ...request, headers: [...headers, ['content-type', type]], body };
      },
  );

/** What no HTTP library sends. */
const rawRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    accounts,
    fc.constantFrom(
      ...[
        'GET /v3/users/me HTTP/1.1\r\nHost: x\r\nx-api-key: a\r\n b\r\n\r\n',
        'GET  HTTP/1.1\r\n\r\n',
        '\r\n\r\n\r\n',
      ],
      ...['GET http://127.0.0.1/v3/users/me HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /v3/users/me HTTP/1.1\r\n\r\n'],
      ...['POST /v3/assets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ...[
        'POST /v3/assets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
        'GET /\u0001 HTTP/1.1\r\n\r\n',
      ],
      ...[
        'POST /v3/framework/renders HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ],
      ...['GET /v3/users/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'GET /%c0%af HTTP/1.1\r\nHost: \u00ff\r\n\r\n'],
      ...[
        'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
        'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET /../.. HTTP/1.1\r\nHost: x:y\r\n\r\n',
      ],
      ...[
        'GET //x/v3/users/me HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET /v3/users/me HTTP/1.1\r\nHost: [::\r\n\r\n',
        'GET ? HTTP/1.0\r\n\r\n',
      ],
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.nat(),
  )
  .map(([account, text, noise, at]) => {
    const place = at % (text.length + 1);
    const raw = at % 2 === 0 ? text : `${text.slice(0, place)}${noise}${text.slice(place)}`;
    return { manner: 'raw' as const, account, method: 'GET', path: '/', headers: [], body: undefined, raw };
  });

/** A signed URL of a video, with or without a changed character. */
const fileRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(placeholder('file', accounts), accounts, fc.option(fc.nat({ max: 500 }), { nil: undefined }), hostileText)
  .map(([path, account, flipped, range]) => ({
    ...{ manner: flipped === undefined ? ('allowed' as const) : ('changed' as const), account, method: 'GET', path },
    ...{ headers: [['range', range]] as [string, string][], body: undefined },
    ...(flipped === undefined ? {} : { flipped }),
  }));
