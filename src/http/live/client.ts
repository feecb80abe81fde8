import type { ServerResponse } from 'node:http';

/** Bytes that may wait for a slow reader before it is told only the newest picture, once it reads again. */
const backlogBytes = 65_536;

/** Bytes that may wait for anybody; beyond them the stream is cut, and the page connects again if it still lives. */
const maxQueuedBytes = 262_144;

/** Heartbeats in a row that a reader may be behind: a minute without reading is nobody. */
const maxMissedHeartbeats = 4;

/** One stream of events, with a bounded memory of what its reader has not taken yet. */
export interface LiveClient {
  /** Writes a frame at once; drops it while the reader is behind. */
  send(frame: string): void;
  /** Keeps the stream open, and cuts it when nobody has read for long. */
  heartbeat(): void;
  /** Ends the stream in order. */
  end(): void;
}

/** `house` gives the whole picture with which a reader that fell behind catches up. */
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
