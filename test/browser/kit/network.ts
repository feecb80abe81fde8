import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Network {
  readonly url: string;
  cut(): Promise<void>;
  restore(): Promise<void>;
}

/** A proxy between page and daemon that can be cut and restored. */
export async function openNetwork(daemonPort: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let server: Server;
  async function listen(port: number): Promise<number> {
    server = createServer((client) => {
      const upstream = connect(daemonPort, '127.0.0.1');
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      }
      client.pipe(upstream).pipe(client);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    async cut() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async restore() {
      if (!server.listening) await listen(port);
    },
  };
}
