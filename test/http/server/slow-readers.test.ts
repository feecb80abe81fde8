import { expect, test } from 'vitest';
import { closeStalled, limitUnreadBytes, type Reader } from '../../../src/http/server/slow-readers.ts';

/** A connection with `unread` bytes in the queue and `sent` bytes passed to the kernel. */
function createReader({ address = 'a', unread = 0, sent = 0 } = {}) {
  const socket = {
    writableLength: unread,
    bytesWritten: unread + sent,
    writableEnded: false,
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      return socket as never;
    },
  };
  const reader: Reader = { socket, address, sentBytes: 0, progressMs: 0 };
  return Object.assign(reader, { socket });
}

test('a quiet connection stays open', () => {
  const quiet = createReader();
  for (let nowMs = 0; nowMs < 100_000; nowMs += 1_000) closeStalled([quiet], nowMs, 20_000);
  expect(quiet.socket.destroyed).toBe(false);
});

test('the time counts from when bytes begin to wait', () => {
  const reader = createReader();
  closeStalled([reader], 50_000, 20_000);
  Object.assign(reader.socket, { writableLength: 9, bytesWritten: 9 });
  closeStalled([reader], 69_999, 20_000);
  expect(reader.socket.destroyed).toBe(false);
  closeStalled([reader], 70_000, 20_000);
  expect(reader.socket.destroyed).toBe(true);
});

test('a reader that makes progress stays open, also while the server writes more', () => {
  const reader = createReader({ unread: 100 });
  for (let nowMs = 0; nowMs < 100_000; nowMs += 10_000) {
    reader.socket.bytesWritten += 50;
    closeStalled([reader], nowMs, 20_000);
  }
  expect(reader.socket.destroyed).toBe(false);
});

test('bytes that the server adds are no progress of the reader', () => {
  const reader = createReader({ unread: 100 });
  for (let nowMs = 0; nowMs <= 20_000; nowMs += 10_000) {
    reader.socket.bytesWritten += 50;
    reader.socket.writableLength += 50;
    closeStalled([reader], nowMs, 20_000);
  }
  expect(reader.socket.destroyed).toBe(true);
});

test('a client that does not close its side after the last answer is disconnected', () => {
  const reader = createReader();
  closeStalled([reader], 0, 20_000);
  reader.socket.writableEnded = true;
  closeStalled([reader], 20_000, 20_000);
  expect(reader.socket.destroyed).toBe(true);
});

test('unread bytes beyond the limit close the oldest connections of the address with the most', () => {
  const a = createReader({ address: 'a', unread: 40 });
  const b = [30, 30, 30].map((unread) => createReader({ address: 'b', unread }));
  limitUnreadBytes([a, ...b], 130);
  expect(b.map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
  limitUnreadBytes([a, ...b], 100);
  expect(b.map(({ socket }) => socket.destroyed)).toEqual([true, false, false]);
  limitUnreadBytes([a, ...b], 70);
  expect([a, ...b].map(({ socket }) => socket.destroyed)).toEqual([false, true, true, false]);
});
