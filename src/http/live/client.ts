import type { ServerResponse } from 'node:http';
import { overloadLimits } from '../server/overload-limits.ts';

const heartbeat = Buffer.from(':\n\n');

/** One event stream with a bounded queue. */
export interface LiveClient {
  /** Writes a frame; drops it while the reader is behind. */
  send(frame: Buffer): void;
  /** Keeps an idle stream open. */
  heartbeat(): void;
  /** Ends the stream. */
  end(): void;
}

/** Creates a client. `snapshot` returns the full state that a reader gets after it fell behind. */
export function liveClient(response: ServerResponse, snapshot: () => Buffer): LiveClient {
  let isBehind = false;
  let unsentWrites = 0;

  function write(bytes: Buffer): void {
    if (response.destroyed || response.writableEnded) return;
    unsentWrites += 1;
    response.write(bytes, sent);
  }

  /** Not the event `drain`, which depends on the size of the socket's buffer: 64 KiB from Node.js 22 on, more than the backlog. */
  function sent(): void {
    unsentWrites -= 1;
    if (!isBehind || unsentWrites > 0) return;
    isBehind = false;
    write(snapshot());
  }

  return {
    send(frame) {
      if (response.writableLength > overloadLimits.streamBacklogBytes) isBehind = true;
      if (!isBehind) write(frame);
    },
    heartbeat() {
      if (!isBehind) write(heartbeat);
    },
    end: () => void response.end(),
  };
}
