// Percent-encoding as browsers and servers read it: what is no sequence of UTF-8 stays as it is written.

/** What `encodeURIComponent` leaves alone although CSS does not. */
const escapes: Record<string, string> = { "'": '%27', '(': '%28', ')': '%29' };

const sequences = /(?:%[0-9a-f]{2})+|%/gi;

/** `a%20b` is `a b`; the sign in `100%.png` is a sign. Never throws. */
export function percentDecode(text: string): string {
  return text.replace(sequences, (run) => decoded(run) ?? run);
}

/** The same text, with the signs that begin no sequence escaped: every reader can decode it. */
export function escapeStraySigns(text: string): string {
  return text.replace(sequences, (run) => (decoded(run) === undefined ? run.replaceAll('%', '%25') : run));
}

/** A project path as a URL path that may stand anywhere: between quotes, in `url()` and in a `srcset`. */
export function encodePath(path: string): string {
  // Half of a surrogate pair is no character and cannot be encoded.
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
