import type { Socket } from 'node:net';
import { HitCounter } from '../hit-counter.ts';
import { overloadLimits } from '../overload-limits.ts';

/**
 * Connections for which there is no place. A client whose connection is closed connects again at once, and only one connection
 * is accepted in each pass of the event loop: some dozens of such clients delay the connections of all others. Those of an
 * address that is refused again and again are therefore left open for a while, unread.
 */
export function createRefusedConnections({
  nowMs,
  limits = overloadLimits.refusedConnections,
}: {
  readonly nowMs: () => number;
  readonly limits?: Readonly<Record<keyof typeof overloadLimits.refusedConnections, number>>;
}) {
  const { total, perWindow, windowMs, holdMs } = limits;
  /** Since when each is held, the oldest first. */
  const held = new Map<Socket, number>();
  const refusals = new HitCounter({ now: nowMs });
  refusals.init({ windowMs });

  return {
    /** Closes a connection, at once or later. To be called after Node's own listener, before anything is read. */
    refuse(socket: Socket, address: string): void {
      if (refusals.increment(address).totalHits <= perWindow || held.size >= total) {
        socket.destroy();
        return;
      }
      held.set(socket, nowMs());
      socket.once('close', () => held.delete(socket));
      // Instead of Node's parser; the first bytes stop the reading.
      socket.removeAllListeners('data');
      socket.on('data', () => socket.pause());
    },
    /** Closes those that were held long enough. To be called about once a second. */
    closeLate(): void {
      for (const [socket, sinceMs] of held) if (nowMs() - sinceMs >= holdMs) socket.destroy();
    },
    get size() {
      return held.size;
    },
  };
}
