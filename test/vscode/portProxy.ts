// What stands in front of a workbench on a server: `/proxy/<port>/…` is that port of the machine, the rest is the workbench's.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export type PortProxy = { port: number; close(): void };

/** The port and the path that a request is for. */
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
  // The workbench's own connection: the request as it came, then bytes in both directions.
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
