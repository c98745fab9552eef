// The web pages: signing in and up, consent, API keys, webhooks, and the list of renders with progress and results.
import type { Hono } from 'hono';
import type { ServiceContext } from './context.ts';

export function mountPages(_app: Hono, _context: ServiceContext): void {}
