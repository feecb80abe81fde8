import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** One connection, and what is asked on it at the moment. */
interface Client {
  /** One subscriber's addresses of the new kind count as one. */
  readonly address: string;
  request: IncomingMessage | null;
}

/**
 * Keeps at most `most` connections: in a full house the newcomer gets the place of somebody who asks for nothing, or has
 * not finished asking, out of the largest party of such. Who is being answered stays. So a crowd from one address makes
 * room for itself, and never costs a neighbour's place. When all are being answered the newcomer is turned away.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  // The longest silence first: who has had an answer goes to the end.
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

/** Of those who may leave, the longest silent of the largest party; before him nobody who is still asking. */
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
