import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A line on which nothing came for so long is dead, milliseconds. */
const silenceMs = 60_000;

const waitedFor = new WeakSet<Duplex>();

/** Hears a request out however long its body takes, as long as it goes on coming. */
export function waitLongFor(request: IncomingMessage): void {
  const { socket } = request;
  waitedFor.add(socket);
  // Without anybody listening for it, this ends the connection.
  socket.setTimeout(silenceMs);
  // The answer may then take as long as it takes.
  const stopWaiting = () => {
    socket.setTimeout(0);
    waitedFor.delete(socket);
  };
  request.once('end', stopWaiting).once('close', stopWaiting);
}

/** Whether a body that takes longer than others may go on. */
export const isWaitedFor = (socket: Duplex): boolean => waitedFor.has(socket);
