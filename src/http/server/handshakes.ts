import type { Socket } from 'node:net';
import { HitCounter } from './hit-counter.ts';
import { toAddressGroup } from './overload.ts';
import { overloadLimits } from './overload-limits.ts';
import { createSlots } from './slots.ts';

interface Handshake {
  readonly socket: Socket;
  readonly startedMs: number;
}

/**
 * Limits the connections whose TLS handshake is not complete, in number, rate and time. They are counted beside the
 * connections of both servers, so that half-open ones can take the place of no other.
 */
export function createHandshakes({
  nowMs,
  limits = overloadLimits,
}: {
  readonly nowMs: () => number;
  readonly limits?: Pick<typeof overloadLimits, 'handshakes' | 'maxHandshakeMs'>;
}) {
  const { total, perAddress, perWindow, windowMs } = limits.handshakes;
  const slots = createSlots<Handshake>(
    { total, perAddress },
    { isEvictable: () => true, evict: ({ socket }) => socket.destroy() },
  );
  /** By the ends of the connection, which the socket over TLS has, too. */
  const running = new Map<string, Handshake>();
  const rate = new HitCounter({ now: nowMs });
  rate.init({ windowMs });

  return {
    /** To be called for each new connection, after Node's own listener. */
    add(socket: Socket): void {
      const address = toAddressGroup(socket.remoteAddress);
      if (rate.increment(address).totalHits > perWindow) {
        socket.destroy();
        return;
      }
      const handshake = { socket, startedMs: nowMs() };
      const key = toKey(socket);
      running.set(key, handshake);
      slots.acquire(handshake, address);
      socket.once('close', () => {
        if (running.get(key) === handshake) running.delete(key);
        slots.release(handshake);
      });
    },
    /** To be called when the handshake of a connection is complete, with the socket over TLS. */
    complete(socket: Socket): void {
      const handshake = running.get(toKey(socket));
      if (handshake === undefined) return;
      running.delete(toKey(socket));
      slots.release(handshake);
    },
    /** Ends those that take too long. To be called about once a second. */
    closeLate(): void {
      for (const { socket, startedMs } of running.values())
        if (nowMs() - startedMs >= limits.maxHandshakeMs) socket.destroy();
    },
    /** Ends all, for the shutdown. */
    closeAll(): void {
      for (const { socket } of running.values()) socket.destroy();
    },
    get size() {
      return running.size;
    },
  };
}

const toKey = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
