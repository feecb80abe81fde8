import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A line on which nothing came for so long is dead, milliseconds. */
const idleTimeoutMs = 60_000;

const extendedSockets = new WeakSet<Duplex>();

/** Hears a request out however long its body takes, as long as it goes on coming. */
export function extendTimeout(request: IncomingMessage): void {
  const { socket } = request;
  extendedSockets.add(socket);
  // Without anybody listening for it, this ends the connection.
  socket.setTimeout(idleTimeoutMs);
  // The answer may then take as long as it takes.
  const restoreTimeout = () => {
    socket.setTimeout(0);
    extendedSockets.delete(socket);
  };
  request.once('end', restoreTimeout).once('close', restoreTimeout);
}

/** Whether a body that takes longer than others may go on. */
export const hasExtendedTimeout = (socket: Duplex): boolean => extendedSockets.has(socket);
