// Mounts the web pages: sign-in and sign-up, renders, API keys, webhooks and account. `consentPages.ts` belongs to OAuth.
import type { Hono } from 'hono';
import type { ServiceContext, ServicePart } from '../context.ts';
import { mountAccountPages } from './accountPages.ts';
import { mountKeyPages } from './keyPages.ts';
import { pageStyle, stylePath } from './pageAssets.ts';
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
