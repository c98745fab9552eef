// The parts of undici that this project uses. The package's own index also loads its cache, mocks, WebSocket and more.

import api from '../node_modules/undici/lib/api/index.js';
import connector from '../node_modules/undici/lib/core/connect.js';
import agent from '../node_modules/undici/lib/dispatcher/agent.js';
import dispatcher from '../node_modules/undici/lib/dispatcher/dispatcher.js';
import envHttpProxyAgent from '../node_modules/undici/lib/dispatcher/env-http-proxy-agent.js';
import web from '../node_modules/undici/lib/web/fetch/index.js';

// As the package's own index does: `request` and the other methods of agents.
Object.assign(dispatcher.prototype, api);

export const Agent = agent;
export const EnvHttpProxyAgent = envHttpProxyAgent;
export const buildConnector = connector;
export const fetch = web.fetch;
