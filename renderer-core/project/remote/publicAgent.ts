// `fetch` for public addresses only. In its own file, so that undici is only loaded when it is needed.
import { isIP } from 'node:net';
import { Agent, buildConnector, fetch as fetchWith } from 'undici';
import { isPublicAddress, notPublicError } from './publicAddress.ts';
import { publicLookup } from './publicLookup.ts';

const connect = buildConnector({ lookup: publicLookup, timeout: 10_000 });

const dispatcher = new Agent({
  connect(options, callback) {
    // Sockets call `lookup` for names only, so literal addresses are checked here.
    const host = options.hostname.replace(/^\[(.*)\]$/s, '$1');
    if (isIP(host) && !isPublicAddress(host)) callback(notPublicError(options.hostname), null);
    else connect(options, callback);
  },
});

export const publicFetch = ((input: string, init: object) =>
  fetchWith(input, { ...init, dispatcher })) as unknown as typeof fetch;
