// Percent-encoding as browsers and servers read it: invalid UTF-8 sequences stay as they are.

/** Characters with a meaning in CSS that `encodeURIComponent` does not encode. */
const escapes: Record<string, string> = { "'": '%27', '(': '%28', ')': '%29' };

const sequences = /(?:%[0-9a-f]{2})+|%/gi;

/** Decodes `a%20b` to `a b`; a percent sign that starts no sequence, as in `100%.png`, stays. Never throws. */
export function percentDecode(text: string): string {
  return text.replace(sequences, (run) => decoded(run) ?? run);
}

/** Escapes the percent signs that start no valid sequence, so that every decoder accepts the text. */
export function escapeInvalidPercents(text: string): string {
  return text.replace(sequences, (run) => (decoded(run) === undefined ? run.replaceAll('%', '%25') : run));
}

/** Encodes a project path as a URL path that is valid between quotes, in `url()` and in a `srcset`. */
export function encodePath(path: string): string {
  // An unpaired surrogate cannot be encoded.
  const encode = (name: string) =>
    encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/['()]/g, (sign) => escapes[sign] ?? sign);
  return path.split('/').map(encode).join('/');
}

function decoded(run: string): string | undefined {
  try {
    return decodeURIComponent(run);
  } catch {
    return undefined;
  }
}
