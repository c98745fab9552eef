// `fetch` through an HTTP proxy at a Unix socket. In its own file, so that undici is only loaded when it is needed.
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { Agent, buildConnector, fetch as fetchWith } from 'undici';
import { notPublicError } from './publicAddress.ts';

const agents = new Map<string, Agent>();

/** `socketPath`: a proxy that supports CONNECT, and responds with `403 Not public` for hosts that are not public. */
export function fetchThrough(socketPath: string): typeof fetch {
  const dispatcher = agents.get(socketPath) ?? agentFor(socketPath);
  agents.set(socketPath, dispatcher);
  return ((input: string, init: object) => fetchWith(input, { ...init, dispatcher })) as unknown as typeof fetch;
}

function agentFor(socketPath: string): Agent {
  const secure = buildConnector({ timeout: 10_000 });
  return new Agent({
    connect(options, callback) {
      const isSecure = options.protocol === 'https:';
      const port = options.port || (isSecure ? '443' : '80');
      openTunnel(socketPath, options.hostname, port).then(
        (httpSocket) => (isSecure ? secure({ ...options, httpSocket }, callback) : callback(null, httpSocket)),
        (error: Error) => callback(error, null),
      );
    },
  });
}

const timeoutMs = 20_000;

function openTunnel(socketPath: string, host: string, port: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const asked = request({ socketPath, method: 'CONNECT', path, timeout: timeoutMs });
    asked.once('connect', ({ statusCode, statusMessage }, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        statusMessage === 'Not public'
          ? notPublicError(host)
          : new Error(statusMessage || `the proxy responded ${statusCode}`),
      );
    });
    asked.once('timeout', () => asked.destroy(new Error(`no connection to ${host} after ${timeoutMs / 1000} s`)));
    asked.once('error', reject);
    asked.end();
  });
}
