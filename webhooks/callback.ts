// What a caller says about the webhook of a render: its URL, and an ID that the webhook repeats.
import { isIP } from 'node:net';
import { isPublicAddress } from '../renderer-core/project/remote/publicAddress.ts';

/** `id` is opaque: the webhook contains it. */
export type Callback = { url: string; id?: string };

export const maxCallbackIdLength = 255;

/** https, or http on a private network, which only some services call. */
export function isCallbackUrl(text: string): boolean {
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && isPrivate(hostname));
}

function isPrivate(hostname: string): boolean {
  return hostname === 'localhost' || (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && !isPublicAddress(hostname));
}

export const isCallbackId = (text: string): boolean =>
  text !== '' && text.length <= maxCallbackIdLength && !/\p{Control}/u.test(text);
