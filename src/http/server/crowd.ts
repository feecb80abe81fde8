import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** One connection, and what is asked on it at the moment. */
interface Guest {
  /** One subscriber's addresses of the new kind count as one. */
  readonly party: string;
  asking: IncomingMessage | null;
}

/**
 * Keeps at most `most` connections: in a full house the newcomer gets the place of somebody who asks for nothing, or has
 * not finished asking, out of the largest party of such. Who is being answered stays. So a crowd from one address makes
 * room for itself, and never costs a neighbour's place. When all are being answered the newcomer is turned away.
 */
export function keepRoom(server: Server, most: number): void {
  // The longest silence first: who has had an answer goes to the end.
  const guests = new Map<Socket, Guest>();

  server.on('connection', (socket: Socket) => {
    if (guests.size >= most) {
      const leaving = leastMissed(guests) ?? socket;
      guests.delete(leaving);
      leaving.destroy();
      if (leaving === socket) return;
    }
    guests.set(socket, { party: ipKeyGenerator(socket.remoteAddress ?? ''), asking: null });
    socket.once('close', () => guests.delete(socket));
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const guest = guests.get(socket);
    if (guest === undefined) return;
    guest.asking = request;
    response.once('close', () => {
      if (guest.asking !== request || !guests.delete(socket)) return;
      guest.asking = null;
      guests.set(socket, guest);
    });
  });
}

/** Of those who may leave, the longest silent of the largest party; before him nobody who is still asking. */
function leastMissed(guests: ReadonlyMap<Socket, Guest>): Socket | null {
  const parties = new Map<string, { readonly silent: Socket[]; readonly asking: Socket[] }>();
  for (const [socket, { party, asking }] of guests) {
    if (asking?.complete) continue;
    const members = parties.get(party) ?? { silent: [], asking: [] };
    parties.set(party, members);
    (asking === null ? members.silent : members.asking).push(socket);
  }
  const [largest] = [...parties.values()]
    .map(({ silent, asking }) => [...silent, ...asking])
    .sort((one, other) => other.length - one.length);
  return largest?.[0] ?? null;
}
