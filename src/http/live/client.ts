import type { ServerResponse } from 'node:http';

/** Queued bytes beyond which a slow reader gets only the newest snapshot when it reads again. */
const backlogBytes = 65_536;

/** Queued bytes beyond which the stream is closed; a live page reconnects. */
const maxQueuedBytes = 262_144;

/** Missed heartbeats after which the stream is closed: one minute without reading. */
const maxMissedHeartbeats = 4;

/** One event stream with a bounded queue. */
export interface LiveClient {
  /** Writes a frame; drops it while the reader is behind. */
  send(frame: string): void;
  /** Keeps the stream open, or closes it when the reader has been behind for too long. */
  heartbeat(): void;
  /** Ends the stream. */
  end(): void;
}

/** Creates a client. `snapshot` returns the full state that a reader gets after it fell behind. */
export function liveClient(response: ServerResponse, snapshot: () => string): LiveClient {
  let isBehind = false;
  let missedHeartbeats = 0;

  response.on('drain', () => {
    if (!isBehind) return;
    isBehind = false;
    missedHeartbeats = 0;
    write(snapshot());
  });

  function write(text: string): void {
    if (response.destroyed || response.writableEnded) return;
    response.write(text);
    if (response.writableLength > maxQueuedBytes) response.destroy();
  }

  return {
    send(frame) {
      if (response.writableLength > backlogBytes) isBehind = true;
      if (!isBehind) write(frame);
    },
    heartbeat() {
      if (!isBehind) return write(':\n\n');
      missedHeartbeats += 1;
      if (missedHeartbeats >= maxMissedHeartbeats) response.destroy();
    },
    end: () => void response.end(),
  };
}
