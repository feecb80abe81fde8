import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Relays connections to a port, and cuts them when a test says so. */
export interface TcpRelay {
  readonly port: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function startTcpRelay(targetPort: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((from) => {
    if (!isOpen) return void from.destroy();
    const to = connect(targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut,
    open() {
      isOpen = true;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
