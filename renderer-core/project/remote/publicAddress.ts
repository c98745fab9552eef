// Tells public internet addresses from local and reserved ones. Untrusted compositions may only connect to public ones.
import ipaddr from 'ipaddr.js';

/** The metadata service of Azure, whose address looks public. */
const neverPublic = new Set(['168.63.129.16']);

/** The range of public IPv6 addresses. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64: the last 32 bits contain an IPv4 address. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** `address` is an IPv4 or IPv6 literal, with or without brackets. False for any other text. */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[(.*)\]$/s, '$1');
  // A zone identifies a network interface of this machine.
  if (text.includes('%') || !(ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text))) return false;
  const parsed = ipaddr.parse(text);
  if (parsed instanceof ipaddr.IPv4) return isPublic4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublic4(parsed.toIPv4Address());
  if (parsed.match(translated)) return isPublic4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.match(globalUnicast) && parsed.range() === 'unicast';
}

function isPublic4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !neverPublic.has(address.toString());
}

/** Error code for hosts that are not public. */
export const notPublic = 'ERR_NOT_PUBLIC';

/** Names the requested host but not its address, which would reveal details of the local network. */
export function notPublicError(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} is not an address of the public internet`), { code: notPublic });
}
