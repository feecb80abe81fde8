import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Scheduler } from '../../ports.ts';

const heldSockets = new WeakSet<Socket>();

/**
 * Resolves after `ms`, or as soon as the client disconnects. A client that is refused at once asks again at once, and
 * thousands of connections a second delay those of everybody; meanwhile its connection may be closed for another one.
 */
export function holdAnswer(response: ServerResponse, ms: number, scheduler: Scheduler): Promise<void> {
  const { socket } = response;
  if (socket === null || response.destroyed) return Promise.resolve();
  heldSockets.add(socket);
  return new Promise((resolve) => {
    const release = () => {
      cancel();
      heldSockets.delete(socket);
      response.off('close', release);
      resolve();
    };
    const cancel = scheduler.after(ms, release);
    response.once('close', release);
  });
}

/** True while the answer to the request of this connection is held back. */
export const isHeld = (socket: Socket): boolean => heldSockets.has(socket);
