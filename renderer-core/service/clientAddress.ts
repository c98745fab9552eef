// The address that a request comes from, as far as it can be believed.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * Behind a proxy, which is where a service with an https URL stands, the last entry of X-Forwarded-For is the one that the
 * proxy wrote itself. Of IPv6 the first half: the other one is the client's own to choose.
 */
export function clientAddress(request: IncomingMessage, behindProxy: boolean): string {
  const forwarded = behindProxy
    ? String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : undefined;
  const text = forwarded || request.socket.remoteAddress || 'unknown';
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  return address.kind() === 'ipv4' ? address.toString() : `${address.toNormalizedString().split(':', 4).join(':')}::`;
}
