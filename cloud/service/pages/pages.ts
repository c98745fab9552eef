// The web pages: signing in and up, consent, API keys, webhooks, and the list of renders with progress and results.
import type { Hono } from 'hono';
import { mountAccountPages } from './accountPages.ts';
import type { ServiceContext, ServicePart } from './context.ts';
import { mountKeyPages } from './keyPages.ts';
import { stylePath } from './pageLayout.ts';
import { pageStyle } from './pageStyle.ts';
import { mountRenderPages } from './renderPages.ts';
import { mountSignInPages } from './signInPages.ts';
import { mountWebhookPages } from './webhookPages.ts';

export function mountPages(app: Hono, context: ServiceContext, queue: ServicePart): void {
  app.get(stylePath, (c) => {
    c.header('Content-Type', 'text/css; charset=utf-8');
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
    c.header('X-Content-Type-Options', 'nosniff');
    return c.body(pageStyle);
  });
  mountSignInPages(app, context);
  mountRenderPages(app, context, queue);
  mountKeyPages(app, context);
  mountWebhookPages(app, context);
  mountAccountPages(app, context);
}
