// Which error of a page is reported if there are several.
import { expect, test } from 'vitest';
import { buildGraph } from '../../../../renderer-core/model/graph.ts';
import { pageError } from '../../../../renderer-core/render/probe/pageError.ts';

const url = 'https://host.example/a.png';
const graph = buildGraph('index.html', () => `<div data-composition-id="main"><img src="${url}"></div>`);

/** The error of a page with a broken image, of which the browser has not told yet that the host answered with an error. */
const errorWith = (failure: Error | undefined) => {
  const none = () => undefined;
  const page = {
    unloaded: none,
    broken: () => ({ url, kind: 'image' }),
    unfinished: none,
    failure: none,
    callerOf: none,
  };
  const site = { server: { origin: 'http://127.0.0.1:1', missing: [] }, remote: { failure: () => failure } };
  const source = {
    project: { graph, draft: { variables: {} } },
    images: { originalOf: (one: string) => one },
    shifts: [],
  };
  return pageError(page as never, site as never, source as never);
};

test('a host that answers with an error comes before the image that is broken by it', () => {
  expect(errorWith(new Error('HTTP 500'))).toMatchObject({
    code: 'asset_missing',
    message: expect.stringContaining('HTTP 500'),
  });
  expect(errorWith(undefined)).toMatchObject({ code: 'asset_invalid' });
});
