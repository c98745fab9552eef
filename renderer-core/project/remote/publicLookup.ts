// DNS lookups for untrusted compositions. Does not use the system's `getaddrinfo`, because slow name servers would block
// Node's few threads, which also read files.
import { type LookupAddress, promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, notPublicError } from './publicAddress.ts';

/** For the whole lookup, including both address families and retries. */
const timeoutMs = 8_000;
const attempt = { timeout: 2_000, tries: 2 };

/** Names of this machine are not looked up. */
const localNames = /^(?:.*\.)?localhost\.?$/i;

/**
 * Replaces `dns.lookup` for sockets that may only connect to public addresses. The socket connects to the address that
 * was checked, which prevents DNS rebinding. Sockets do not look up literal addresses: the caller must check those.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0);
  const finish = (error: NodeJS.ErrnoException | null, found: LookupAddress[]): void => {
    const [first] = found;
    if (error || !first) callback(error ?? notPublicError(hostname), options.all ? [] : '');
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
  findAddresses(hostname, family).then(
    (all) =>
      finish(
        null,
        all.filter(({ address }) => isPublicAddress(address)),
      ),
    (error: NodeJS.ErrnoException) => finish(error, []),
  );
};

/** IPv4 first, because every machine can reach it. Rejects when both lookups fail. */
async function findAddresses(hostname: string, family: number): Promise<LookupAddress[]> {
  const literal = isIP(hostname);
  if (literal !== 0) return [{ address: hostname, family: literal }];
  if (localNames.test(hostname)) return [];
  const resolver = new promises.Resolver(attempt);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const results = await Promise.allSettled([
      family === 6 ? [] : resolver.resolve4(hostname),
      family === 4 ? [] : resolver.resolve6(hostname),
    ]);
    const found = results.flatMap((result, index) =>
      result.status === 'fulfilled' ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  } finally {
    clearTimeout(timer);
  }
}
