import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** One open connection and the request it carries at the moment. */
interface Client {
  /** IPv6 addresses are grouped by /56, since one subscriber has a whole prefix. */
  readonly address: string;
  request: IncomingMessage | null;
}

/**
 * Keeps at most `maxConnections` connections open. When the limit is reached, a new connection replaces an idle one, or
 * one whose request is incomplete, of the address that has the most of these. A connection whose request is being
 * answered is never closed. Many connections from one address therefore replace each other, not those of other
 * addresses. If every connection is being answered, the new one is closed.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  // Ordered by the last answer: the longest idle connection is first.
  const clients = new Map<Socket, Client>();

  server.on('connection', (socket: Socket) => {
    if (clients.size >= maxConnections) {
      const dropped = pickReplaceable(clients) ?? socket;
      clients.delete(dropped);
      dropped.destroy();
      if (dropped === socket) return;
    }
    clients.set(socket, { address: ipKeyGenerator(socket.remoteAddress ?? ''), request: null });
    socket.once('close', () => clients.delete(socket));
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const client = clients.get(socket);
    if (client === undefined) return;
    client.request = request;
    response.once('close', () => {
      if (client.request !== request || !clients.delete(socket)) return;
      client.request = null;
      clients.set(socket, client);
    });
  });
}

/** Returns the connection to close: of the address with the most candidates, the longest idle, then incomplete ones. */
function pickReplaceable(clients: ReadonlyMap<Socket, Client>): Socket | null {
  const byAddress = new Map<string, { readonly idle: Socket[]; readonly sending: Socket[] }>();
  for (const [socket, { address, request }] of clients) {
    if (request?.complete) continue;
    const members = byAddress.get(address) ?? { idle: [], sending: [] };
    byAddress.set(address, members);
    (request === null ? members.idle : members.sending).push(socket);
  }
  const [largest] = [...byAddress.values()]
    .map(({ idle, sending }) => [...idle, ...sending])
    .sort((one, other) => other.length - one.length);
  return largest?.[0] ?? null;
}
