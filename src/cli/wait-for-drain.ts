import type { Writable } from 'node:stream';

/** Resolves to true when the stream accepts more data, to false when its reader is gone. */
export function waitForDrain(stream: Writable): Promise<boolean> {
  if (stream.destroyed || !stream.writableNeedDrain) return Promise.resolve(!stream.destroyed);
  return new Promise((done) => {
    const events = ['drain', 'close', 'error'] as const;
    const finish = () => {
      for (const event of events) stream.off(event, finish);
      done(!stream.destroyed && stream.errored === null);
    };
    for (const event of events) stream.on(event, finish);
  });
}
