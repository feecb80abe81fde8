import type { Socket } from 'node:net';

/** The writing side of a connection. */
export interface Reader {
  readonly socket: Pick<
    Socket,
    'bytesWritten' | 'writableLength' | 'writableEnded' | 'destroyed' | 'destroy'
  >;
  /** Address of the client. */
  readonly address: string;
  /** Bytes that the kernel had accepted at the last check. */
  sentBytes: number;
  /** When these last increased, or when no bytes were waiting; monotonic milliseconds. */
  progressMs: number;
}

/** Closes connections whose bytes have waited for `maxUnreadMs`. To be called about once a second. */
export function closeStalled(readers: Iterable<Reader>, nowMs: number, maxUnreadMs: number): void {
  for (const reader of readers) {
    const { socket } = reader;
    const sentBytes = socket.bytesWritten - socket.writableLength;
    // After `end` the client has to close its side.
    const isWaiting = socket.writableLength > 0 || socket.writableEnded;
    if (!isWaiting || sentBytes !== reader.sentBytes) {
      reader.sentBytes = sentBytes;
      reader.progressMs = nowMs;
    } else if (nowMs - reader.progressMs >= maxUnreadMs) socket.destroy();
  }
}

/** Closes connections of the address with the most unread bytes, the oldest first, until all have at most `maxBytes`. */
export function limitUnreadBytes(readers: Iterable<Reader>, maxBytes: number): void {
  let total = 0;
  const byAddress = new Map<string, { bytes: number; readonly readers: Reader[] }>();
  for (const reader of readers) {
    const bytes = reader.socket.destroyed ? 0 : reader.socket.writableLength;
    if (bytes === 0) continue;
    total += bytes;
    const group = byAddress.get(reader.address) ?? { bytes: 0, readers: [] };
    byAddress.set(reader.address, group);
    group.bytes += bytes;
    group.readers.push(reader);
  }
  while (total > maxBytes) {
    const [largest] = [...byAddress.values()].sort((one, other) => other.bytes - one.bytes);
    const { socket } = largest!.readers.shift()!;
    const bytes = socket.writableLength;
    socket.destroy();
    largest!.bytes -= bytes;
    total -= bytes;
  }
}
