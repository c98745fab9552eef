import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import { deleteCloudRender, getCloudRender, listCloudRenders } from '../../../../cloud/client/accountRenders.ts';
import { fetchUser } from '../../../../cloud/client/auth/currentUser.ts';
import { renderInCloud } from '../../../../cloud/client/cloudRender.ts';
import { createApiClient } from '../../../../sdk/services.ts';
import { composition, project } from '../../../support/project.ts';
import { listenInTest } from '../../../support/servers/listen.ts';
import { credentialsFor } from '../../../support/service/cloudService.ts';
import { type Json, type OpenApiDocument, operationsOf, validator } from '../../../support/service/openApi.ts';
import { testService, testUser } from '../../../support/service/service.ts';

type Exchange = { method: string; url: URL; headers: Headers; body: unknown; status: number; answer: unknown };

/** A service, a client of it, and the recorded requests and responses. */
async function recordedService() {
  const service = await testService();
  const exchanges: Exchange[] = [];
  const listener = getRequestListener(async (request) => {
    const isJson = request.headers.get('content-type') === 'application/json';
    const body = isJson ? await request.clone().json() : undefined;
    const response = await service.app.fetch(request);
    const { method, headers } = request;
    const answer = await response.clone().json();
    exchanges.push({ method, url: new URL(request.url), headers, body, status: response.status, answer });
    return response;
  });
  const { key } = await testUser(service.context);
  const env = credentialsFor(await listenInTest(createServer(listener)));
  const client = (given = { ...env, SERVICE_API_KEY: key }) =>
    createApiClient({ env: given, version: 'test', retry: { attempts: 1 } });
  return { service, exchanges, client, stranger: () => client({ ...env, SERVICE_API_KEY: 'fk_nobody' }) };
}

/** Returns what does not match the document, and the operations and statuses that were checked. */
function compare(document: OpenApiDocument, exchanges: Exchange[]): { seen: string[]; wrong: unknown[] } {
  const check = validator(document);
  const wrong: unknown[] = [];
  const seen = exchanges.map(({ method, url, headers, body, status, answer }) => {
    const found = operationsOf(document).find(
      (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname),
    );
    const report = (what: string, more?: unknown) => wrong.push([method, url.pathname, what, more]);
    if (!found) {
      report('unknown operation');
      return '';
    }
    const { parameters = [], requestBody, responses } = found.operation;
    for (const [name, value] of url.searchParams) {
      const declared = parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);
      if (!declared) report(`unknown parameter ${name}`);
      else if (check(declared.schema, declared.schema.type === 'integer' ? Number(value) : value).length > 0)
        report(name);
    }
    for (const { name, required, schema } of parameters.filter((one) => one.in === 'header')) {
      const value = headers.get(name);
      if (value === null ? required : check(schema, value).length > 0) report(`header ${name}`);
    }
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (type && !requestBody?.content[type]) report(`unexpected content type ${type}`);
    if (body !== undefined) {
      const errors = check(requestBody?.content[type]?.schema ?? {}, body);
      if (errors.length > 0) report('request body', errors);
    }
    const declared = responses[status];
    const errors = declared
      ? check(declared.content['application/json'].schema, answer)
      : [`undeclared status ${status}`];
    if (errors.length > 0) report('response', errors);
    return `${found.name} ${status}`;
  });
  return { seen, wrong };
}

const everyOption = {
  ...{ composition: 'index.html', fps: '29.97', quality: 'draft', format: 'webm', resolution: '1080p' },
  ...{ aspectRatio: '16:9', title: 'Film', variables: { n: 7 }, strictVariables: true },
  ...{ callbackUrl: 'https://example.com/hook', callbackId: 'order 7', wait: false },
};

test('matches all requests of the client and all responses of the service', async () => {
  const { service, exchanges, client, stranger } = await recordedService();
  const { signal } = new AbortController();
  const variables = [{ id: 'n', type: 'number', label: 'N', default: 1 }];
  const projectDir = project(composition('', { width: 64, height: 36, variables }));
  const { renderId } = await renderInCloud(client(), { projectDir, ...everyOption });
  const size = { width: 640, height: 640, fit: 'cover', background: 'tomato' };
  await renderInCloud(client(), { url: 'https://example.com/p.zip', wait: false, idempotencyKey: 'a:b.c-1', ...size });
  await renderInCloud(client(), { projectDir, wait: false });
  const { next_token } = await listCloudRenders(client(), { limit: 2 });
  await listCloudRenders(client(), { limit: 100, token: next_token ?? '' });
  const completed = {
    status: 'completed' as const,
    video_key: `videos/${renderId}.webm`,
    completed_at: 5,
    duration: 2,
  };
  await service.context.database.updateTable('renders').set(completed).where('id', '=', renderId).execute();
  await getCloudRender(client(), renderId);
  await deleteCloudRender(client(), renderId);
  await fetchUser(client(), signal);
  await expect(getCloudRender(client(), renderId)).rejects.toMatchObject({ code: 'framework_render_not_found' });
  await expect(fetchUser(stranger(), signal)).rejects.toMatchObject({ code: 'authentication_failed' });

  const document: OpenApiDocument = await (await service.app.request('/v3/openapi.json')).json();
  const { seen, wrong } = compare(document, exchanges);
  expect(wrong).toEqual([]);
  expect(seen).toEqual([
    'POST /v3/assets 200',
    'POST /v3/framework/renders 200',
    'POST /v3/framework/renders 200',
    'POST /v3/assets 200',
    'POST /v3/framework/renders 200',
    'GET /v3/framework/renders 200',
    'GET /v3/framework/renders 200',
    'GET /v3/framework/renders/{id} 200',
    'DELETE /v3/framework/renders/{id} 200',
    'GET /v3/users/me 200',
    'GET /v3/framework/renders/{id} 404',
    'GET /v3/users/me 401',
  ]);
  // Every option was used at least once.
  const declaredOptions = document.components.schemas.RenderOrder?.properties as Json;
  const [, all, sized] = exchanges;
  expect(Object.keys({ ...(all?.body as Json), ...(sized?.body as Json) }).sort()).toEqual(
    Object.keys(declaredOptions).sort(),
  );
});
