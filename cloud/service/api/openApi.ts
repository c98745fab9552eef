// The OpenAPI document of the service, made from the routes that answer.
import type { ServiceApp } from './app.ts';

export type OpenApiDocument = ReturnType<ServiceApp['getOpenAPI31Document']>;

export function openApiDocument(app: ServiceApp, publicUrl: string): OpenApiDocument {
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'A long-lived key, made on the web pages or by the operator.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'oauth', {
    type: 'oauth2',
    description: 'Public client `framework-cli`, PKCE with S256.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${publicUrl}/oauth/authorize`,
        tokenUrl: `${publicUrl}/oauth/token`,
        refreshUrl: `${publicUrl}/oauth/token`,
        scopes: {},
      },
    },
  });
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Framework hosted rendering',
      version: '3',
      description: [
        'Sends a project in, gets a video back. Within /v3 changes only add: ignore fields that you do not know.',
        'A single object is `{"data": …}`, a list `{"data": […], "has_more", "next_token"}`, newest first, and an error',
        '`{"error": {"code", "message", "param"}}`. After 429 and 503 wait for the seconds in Retry-After.',
      ].join(' '),
    },
    servers: [{ url: publicUrl }],
    tags: [{ name: 'assets' }, { name: 'renders' }, { name: 'account' }],
  });
}
