// The web pages: signing in and up, consent, API keys, webhooks, and the list of renders with progress and results.
import type { Hono } from 'hono';
import type { ServiceContext } from './context.ts';
import { stylePath } from './pageLayout.ts';
import { pageStyle } from './pageStyle.ts';
import { mountSignInPages } from './signInPages.ts';

export function mountPages(app: Hono, context: ServiceContext): void {
  app.get(stylePath, (c) => {
    c.header('Content-Type', 'text/css; charset=utf-8');
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
    c.header('X-Content-Type-Options', 'nosniff');
    return c.body(pageStyle);
  });
  mountSignInPages(app, context);
}
