// A proxy as in front of a remote workbench: `/proxy/<port>/…` forwards to that port, everything else to the workbench.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export type PortProxy = { port: number; close(): void };

/** The target port and path of a request. */
function target(url: string, workbenchPort: number): { port: number; path: string } {
  const [, port, path = '/'] = /^\/proxy\/(\d+)(\/.*)?$/.exec(url) ?? [];
  return port === undefined ? { port: workbenchPort, path: url } : { port: Number(port), path };
}

export async function startPortProxy(workbenchPort: number): Promise<PortProxy> {
  const server = createServer((incoming, outgoing) => {
    const { port, path } = target(incoming.url ?? '/', workbenchPort);
    const { method, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  // WebSocket connections of the workbench: forwards the request and then all bytes in both directions.
  server.on('upgrade', (incoming: IncomingMessage, socket, head) => {
    const { port, path } = target(incoming.url ?? '/', workbenchPort);
    const onward = connect(port, '127.0.0.1', () => {
      const lines = incoming.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
      onward.write(`${incoming.method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
