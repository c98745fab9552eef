// What protects the pages in a browser: headers, the origin of what is sent, and where a page may lead.
import { createHash } from 'node:crypto';
import { pageScript } from './pageScript.ts';

/** What a page may do beyond showing text. */
export type PageAllows = {
  /** Origins of pictures and videos beside our own. */
  media?: readonly string[];
  /** Origins that its forms may end at beside our own: browsers look at redirects, too. */
  forms?: readonly string[];
};

const scriptHash = createHash('sha256').update(pageScript).digest('base64');

/** Pages hold what belongs to one person: they are not kept, not framed, and run no script but ours. */
export function securityHeaders({ media = [], forms = [] }: PageAllows = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
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
    // With `no-referrer` a browser does not tell the origin of a form.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

/** The path to go on at after signing in: one of this service, else `/`. */
export function localPath(value: unknown, publicUrl: string): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return '/';
  const base = new URL(publicUrl);
  const target = URL.canParse(value, base) ? new URL(value, base) : base;
  return target.origin === base.origin && !target.pathname.startsWith('//') ? target.pathname + target.search : '/';
}
