// The OpenAPI document, generated from the routes.
import type { ServiceApp } from './requestEnv.ts';

export type OpenApiDocument = ReturnType<ServiceApp['getOpenAPI31Document']>;

export function openApiDocument(app: ServiceApp, publicUrl: string): OpenApiDocument {
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'A long-lived key, created on the web pages or by the operator.',
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
        'Upload a project, get a video. Within /v3 fields are only added: ignore fields that you do not know.',
        'Single objects are returned as `{"data": …}`, lists as `{"data": […], "has_more", "next_token"}`, newest first, and errors as',
        '`{"error": {"code", "message", "param"}}`. After 429 and 503, wait for the number of seconds in Retry-After. A 429 response with',
        '`quota_exceeded` and without this header does not change by waiting: delete renders or assets.',
      ].join(' '),
    },
    servers: [{ url: publicUrl }],
    tags: [{ name: 'assets' }, { name: 'renders' }, { name: 'account' }],
  });
}
