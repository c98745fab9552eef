// Who publishes the extension, and its addresses: what the owner fills in, in publication.json.
import { readFile } from 'node:fs/promises';

/** The addresses in publication.json. An owner without one of them writes `null`. */
const addresses = ['repository', 'bugs', 'homepage', 'sponsor'];

export const readPublication = async () => JSON.parse(await readFile('publication.json', 'utf8'));

/** What the owner still has to fill in before a release; undefined if nothing is missing. */
export function missingIn(publication) {
  const isUnchanged = publication.publisher === 'framework' && publication.name === 'framework';
  const empty = addresses.filter((name) => publication[name] !== null && !/^https:\/\//.test(publication[name] ?? ''));
  const missing = [...(isUnchanged ? ['publisher', 'name'] : []), ...empty];
  if (missing.length === 0) return undefined;
  return `Fill in publication.json first: ${missing.join(', ')}. Addresses begin with https://, or are null if there is none.`;
}

/** The fields of both manifests. */
export const commonFields = ({ repository, bugs, homepage }) => ({
  ...(repository ? { repository: { type: 'git', url: repository } } : {}),
  ...(bugs ? { bugs: { url: bugs } } : {}),
  ...(homepage ? { homepage } : {}),
});

/** The fields of the extension's manifest. */
export const extensionFields = (publication) => ({
  publisher: publication.publisher,
  name: publication.name,
  ...commonFields(publication),
  ...(publication.sponsor ? { sponsor: { url: publication.sponsor } } : {}),
});
