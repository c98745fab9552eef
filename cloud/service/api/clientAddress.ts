// The client address of a request, for the API, sign-in and pages.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../../renderer-core/project/remote/publicAddress.ts';
import type { ServiceSettings } from '../settings.ts';

/** The part of a request that is read. Tests have no connection; their requests count as local. */
type Asked = { req: { header(name: string): string | undefined }; env: unknown };

/** For rate limits and logs; see `addressFrom`. */
export function clientAddress(c: Asked, { publicUrl }: Pick<ServiceSettings, 'publicUrl'>): string {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  const peer = incoming?.socket.remoteAddress ?? '127.0.0.1';
  return addressFrom(peer, c.req.header('x-forwarded-for'), publicUrl.startsWith('https:'));
}

/**
 * X-Forwarded-For is trusted from a proxy on this machine. With an https public URL, where a proxy terminates TLS, it
 * is also trusted from private networks. It is never trusted from the public internet, so clients cannot choose their
 * address. The last entry is the one that the proxy itself added. Of an IPv6 address only the first half counts,
 * because a client can choose the other half.
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
