// The address that a request comes from, as far as it can be believed: one rule for the API, sign-in and pages.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../project/publicAddress.ts';
import type { ServiceSettings } from './settings.ts';

/** What is read of a request. Without a connection, as in tests, it comes from this machine. */
type Asked = { req: { header(name: string): string | undefined }; env: unknown };

/** For limits and logs; see `addressFrom`. */
export function clientAddress(c: Asked, { publicUrl }: Pick<ServiceSettings, 'publicUrl'>): string {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  const peer = incoming?.socket.remoteAddress ?? '127.0.0.1';
  return addressFrom(peer, c.req.header('x-forwarded-for'), publicUrl.startsWith('https:'));
}

/**
 * X-Forwarded-For is believed from a proxy on this machine, and where the public URL is https, which is where a proxy
 * stands in front, from one in a private network; from the public internet never, so that no client chooses its own
 * address. Its last entry is the one that the proxy wrote itself. Of IPv6 the first half: the other one is the client's
 * own to choose.
 */
export function addressFrom(peer: string, forwarded: string | undefined, isBehindTls: boolean): string {
  const isProxy = isLoopback(peer) || (isBehindTls && !isPublicAddress(peer));
  const last = isProxy ? (forwarded?.split(',').at(-1)?.trim() ?? '') : '';
  const text = ipaddr.isValid(last) ? last : peer;
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  return address.kind() === 'ipv4' ? address.toString() : `${address.toNormalizedString().split(':', 4).join(':')}::`;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
