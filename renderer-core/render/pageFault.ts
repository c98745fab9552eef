// What went wrong in a page, in the author's terms: which file, which line, what to do.
import type { CapturePage } from '../capture/capturePage.ts';
import { UserError } from '../errors.ts';
import { referenceCandidates } from '../model/graph.ts';
import { lineAndColumn } from '../model/spans.ts';
import { sourceFileOf } from '../plan/assemble.ts';
import type { ProjectServer } from '../project/server.ts';
import type { PreparedRender } from './prepare.ts';

/** The first thing that makes the page's frames wrong: a file that is not there, or an exception in a script. */
export function pageFault(page: CapturePage, server: ProjectServer, { graph }: PreparedRender): UserError | undefined {
  const missing = server.missing.find(({ url }) => !url.endsWith('/favicon.ico'));
  if (missing) {
    const path = decodeURIComponent(new URL(missing.url, server.origin).pathname).replace(/^\//, '');
    const place = findReference(graph, path);
    return new UserError('asset_missing', `The file ${path} does not exist`, {
      hint: 'Add the file to the project folder, or correct the path that names it.',
      ...(place ? { place } : {}),
    });
  }
  const unloaded = page.unloaded();
  if (unloaded) {
    const place = findUrl(graph, unloaded.url);
    return new UserError('asset_missing', `${unloaded.url} could not be loaded: ${unloaded.reason}`, {
      hint: 'Check the address and the network, or put the file into the project folder.',
      ...(place ? { place } : {}),
    });
  }
  const failure = page.failure();
  if (!failure) return undefined;
  const url = failure.url?.startsWith(server.origin) ? new URL(failure.url).pathname : undefined;
  const place = {
    file: url === undefined ? graph.entry : sourceFileOf(url),
    ...(failure.line === undefined || url === undefined ? {} : { line: failure.line, column: failure.column ?? 1 }),
  };
  return new UserError('script_error', `A script of the composition failed: ${failure.message}`, {
    hint: 'Open the composition in a browser to see the error in its console.',
    place,
  });
}

function findUrl(graph: PreparedRender['graph'], url: string) {
  for (const [file, { assetReferences, text }] of graph.files) {
    const reference = assetReferences.find(
      (candidate) => url === candidate.url || url.endsWith(candidate.url.replace(/^\/\//, '')),
    );
    if (reference) return { file, ...lineAndColumn(text, reference.span.start) };
  }
  return undefined;
}

function findReference(graph: PreparedRender['graph'], path: string) {
  for (const [file, { assetReferences, text }] of graph.files) {
    const reference = assetReferences.find(({ url }) => referenceCandidates(file, url).includes(path));
    if (reference) return { file, ...lineAndColumn(text, reference.span.start) };
  }
  return undefined;
}
