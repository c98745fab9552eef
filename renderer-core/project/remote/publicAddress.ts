// Which addresses belong to the public internet: connections made for strangers go nowhere else.
import ipaddr from 'ipaddr.js';

/** The metadata service of one cloud answers at an address that looks public. */
const neverPublic = new Set(['168.63.129.16']);

/** IPv6 addresses of the internet; everything else is reserved or local. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Translators between IPv6 and IPv4 carry the IPv4 address in the last 32 bits. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Whether `address`, an IPv4 or IPv6 literal with or without brackets, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[(.*)\]$/s, '$1');
  // A zone names an interface of this machine.
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

/** The code of errors about names and addresses that are not public. */
export const notPublic = 'ERR_NOT_PUBLIC';

/** Names what was asked for, and not where it leads: that would tell strangers about this network. */
export function notPublicError(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} is not an address of the public internet`), { code: notPublic });
}
