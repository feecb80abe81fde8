import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A connection without data for this long is closed, milliseconds. */
const idleTimeoutMs = 60_000;

const extendedSockets = new WeakSet<Duplex>();

/** Lifts the time limit of a request's body as long as data keeps arriving. */
export function extendTimeout(request: IncomingMessage): void {
  const { socket } = request;
  extendedSockets.add(socket);
  // Without a `timeout` listener Node closes the connection.
  socket.setTimeout(idleTimeoutMs);
  // The limit applies to the body, not to the answer.
  const restoreTimeout = () => {
    socket.setTimeout(0);
    extendedSockets.delete(socket);
  };
  request.once('end', restoreTimeout).once('close', restoreTimeout);
}

/** True while the request on this connection is exempt from the body's time limit. */
export const hasExtendedTimeout = (socket: Duplex): boolean => extendedSockets.has(socket);
