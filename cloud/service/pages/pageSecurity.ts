// Security of the web pages in a browser: response headers, and safe redirects after signing in.
import { scriptHash } from './pageAssets.ts';

/** Exceptions from the content security policy. */
export type PageAllows = {
  /** Additional origins of images and videos. */
  media?: readonly string[];
  /** Additional origins that forms may be redirected to: browsers apply `form-action` to redirects as well. */
  forms?: readonly string[];
};

/** Pages contain private data: they are not cached, not framed, and run no script but the service's own. */
export function securityHeaders({ media = [], forms = [] }: PageAllows = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    "style-src 'self'",
    "connect-src 'self'",
    ['img-src', "'self'", 'data:', ...media].join(' '),
    ['media-src', "'self'", ...media].join(' '),
    ['form-action', "'self'", ...forms].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // With `no-referrer`, browsers send `Origin: null` with forms, which `isOwnForm` rejects.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

/** Browsers that have seen it use only https for this host. */
export function transportSecurity(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};
}

/** Returns the path to open after signing in: `value` if it is a path of this service, otherwise `/`. */
export function localPath(value: unknown, publicUrl: string): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return '/';
  const base = new URL(publicUrl);
  const target = URL.canParse(value, base) ? new URL(value, base) : base;
  return target.origin === base.origin && !target.pathname.startsWith('//') ? target.pathname + target.search : '/';
}
