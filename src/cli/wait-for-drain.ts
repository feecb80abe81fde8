import type { Writable } from 'node:stream';

/** Resolves when the stream takes more: true, or false when nobody reads it any more. */
export function waitForDrain(stream: Writable): Promise<boolean> {
  if (stream.destroyed || !stream.writableNeedDrain) return Promise.resolve(!stream.destroyed);
  return new Promise((done) => {
    const events = ['drain', 'close', 'error'] as const;
    const settle = () => {
      for (const event of events) stream.off(event, settle);
      done(!stream.destroyed && stream.errored === null);
    };
    for (const event of events) stream.on(event, settle);
  });
}
