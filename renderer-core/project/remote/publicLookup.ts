// Names looked up for strangers, whose name servers may be slow: not by the system's `getaddrinfo`, which holds one of the
// few threads that files are read with for as long as it waits.
import { type LookupAddress, promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, notPublicError } from './publicAddress.ts';

/** For both kinds of addresses, all servers and repetitions. */
const longestMs = 8_000;
const attempt = { timeout: 2_000, tries: 2 };

/** Names of this machine, which no name server is asked for. */
const ownNames = /^(?:.*\.)?localhost\.?$/i;

/**
 * In place of `dns.lookup`, for sockets that may only connect to the public internet. What it gives is what is connected
 * to, so a name cannot lead elsewhere a moment later. Sockets do not look up literal addresses: check those first.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0);
  const answer = (error: NodeJS.ErrnoException | null, found: LookupAddress[]): void => {
    const [first] = found;
    if (error || !first) callback(error ?? notPublicError(hostname), options.all ? [] : '');
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
  findAddresses(hostname, family).then(
    (all) =>
      answer(
        null,
        all.filter(({ address }) => isPublicAddress(address)),
      ),
    (error: NodeJS.ErrnoException) => answer(error, []),
  );
};

/** IPv4 first, which every machine reaches. Rejects when neither kind has an answer. */
async function findAddresses(hostname: string, family: number): Promise<LookupAddress[]> {
  const literal = isIP(hostname);
  if (literal !== 0) return [{ address: hostname, family: literal }];
  if (ownNames.test(hostname)) return [];
  const resolver = new promises.Resolver(attempt);
  const timer = setTimeout(() => resolver.cancel(), longestMs);
  try {
    const answers = await Promise.allSettled([
      family === 6 ? [] : resolver.resolve4(hostname),
      family === 4 ? [] : resolver.resolve6(hostname),
    ]);
    const found = answers.flatMap((one, index) =>
      one.status === 'fulfilled' ? one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    const failed = answers.find((one) => one.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  } finally {
    clearTimeout(timer);
  }
}
