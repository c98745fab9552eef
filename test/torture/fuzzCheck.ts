// What is wrong with a response: its status, its body, or whose data it contains.
import { type OpenApiDocument, operationsOf, validator } from '../support/service/openApi.ts';
import { type FuzzResponse, mayStayOpen, type Sendable } from './fuzzSend.ts';

/** `sender`: the account whose key was sent; undefined: no valid one. */
export type Exchange = {
  request: Sendable & { flipped?: number };
  sender: number | undefined;
  response: FuzzResponse | undefined;
};

export type ProblemKind = 'unexpected5xx' | 'undocumented' | 'leaked' | 'unauthenticated' | 'unanswered';

/** Parts of a response that name an account: IDs of its objects. */
const idPattern = /(?:rnd|ast)_[A-Za-z0-9_-]{22}/g;

export type Owners = Map<string, number>;

/** Adds the IDs in responses of successful requests that created something. */
export function learnOwner(owners: Owners, { request, sender, response }: Exchange): string | undefined {
  if (response?.status !== 200 || request.method !== 'POST' || sender === undefined) return undefined;
  const [id] = response.text.match(idPattern) ?? [];
  if (id !== undefined && !owners.has(id)) owners.set(id, sender);
  return id;
}

export function responseChecker(document: OpenApiDocument, owners: Owners, emails: readonly string[]) {
  const validate = validator(document);
  const operations = operationsOf(document).map(({ method, path, operation }) => ({
    method,
    pattern: new RegExp(`^${path.replace('{id}', '[^/]+')}$`),
    operation,
  }));

  function undocumented({ request, response }: Exchange): string | undefined {
    if (response === undefined || request.raw !== undefined) return undefined;
    const [path = ''] = request.path.split('?');
    if (!path.startsWith('/v3/') || request.method === 'HEAD' || request.method === 'OPTIONS') return undefined;
    // Node answers what is not HTTP before the service sees it.
    if (response.type === '' && response.text.length < 10 && [400, 408, 413, 417, 431].includes(response.status))
      return undefined;
    const found = operations.find((each) => each.method === request.method && each.pattern.test(path));
    const described = found?.operation.responses[String(response.status)];
    if (found && !described) return `status ${response.status} is not documented`;
    const schema = described?.content['application/json'].schema ?? document.components.schemas.Error ?? {};
    let body: unknown;
    try {
      body = JSON.parse(response.text);
    } catch {
      return 'the body is not JSON';
    }
    const errors = validate(schema, body);
    return errors.length === 0 ? undefined : `the body does not match its schema: ${JSON.stringify(errors[0])}`;
  }

  function leaked({ request, sender, response }: Exchange): string | undefined {
    if (response === undefined) return undefined;
    const sent = `${request.path} ${String(request.body ?? '')}`;
    const isSuccess = response.status < 300;
    for (const id of response.text.match(idPattern) ?? []) {
      const owner = owners.get(id);
      // An error may repeat the ID that it is about.
      if (owner !== undefined && owner !== sender && (isSuccess || !sent.includes(id)))
        return `${id} of account ${owner}`;
    }
    return emails.find((email, account) => account !== sender && response.text.includes(email));
  }

  return (exchange: Exchange): [ProblemKind, string] | undefined => {
    const { request, sender, response } = exchange;
    if (response === undefined) return mayStayOpen(request) ? undefined : ['unanswered', 'no response'];
    const { status } = response;
    if (status >= 500 && status !== 503 && status !== 507 && status !== 501)
      return ['unexpected5xx', `status ${status}`];
    const leak = leaked(exchange);
    if (leak !== undefined) return ['leaked', leak];
    const isPrivate = request.path.startsWith('/v3/') && !request.path.startsWith('/v3/openapi.json');
    const isOpen = (isPrivate && sender === undefined) || request.flipped !== undefined;
    if (isOpen && status < 300 && request.method !== 'OPTIONS') return ['unauthenticated', `status ${status}`];
    const wrong = undocumented(exchange);
    return wrong === undefined ? undefined : ['undocumented', wrong];
  };
}
