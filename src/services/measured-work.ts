import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Measuring } from '../core/measurements.ts';
import type { Transport } from '../outbox/transport.ts';
import type { PourJournal } from '../store/journal/pour-journal.ts';
import type { Store } from '../store/store.ts';

const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1_000;

/** Returns the store with the durations of its transactions measured, each with its sync to the disk. */
export function measureCommits(store: Store, { current }: Measuring): Store {
  /** A transaction within another one is part of it. */
  let depth = 0;
  const measured =
    (kind: 'pour' | 'change', run: <T>(work: () => T) => T) =>
    <T>(work: () => T): T => {
      if (depth > 0) return run(work);
      const startedMs = performance.now();
      depth += 1;
      try {
        return run(work);
      } finally {
        depth -= 1;
        current()?.committed(kind, secondsSince(startedMs));
      }
    };
  return {
    ...store,
    recording: measured('pour', store.recording),
    transaction: measured('change', store.transaction),
  };
}

/** Returns the journal with the durations of its writes measured; a checkpoint that changes nothing writes nothing. */
export function measureJournal(journal: PourJournal, { current }: Measuring): PourJournal {
  function measured<T>(work: () => T): T {
    const before = journal.bytesWritten();
    const startedMs = performance.now();
    const result = work();
    const seconds = secondsSince(startedMs);
    if (journal.bytesWritten() > before) current()?.journalWritten(seconds);
    return result;
  }
  return {
    ...journal,
    checkpoint: (open, now) => measured(() => journal.checkpoint(open, now)),
    addEnded: (pour, now) => measured(() => journal.addEnded(pour, now)),
  };
}

/** Returns the transport with the results of its attempts measured. */
export const measureSends = (transport: Transport, { current }: Measuring): Transport => ({
  ...transport,
  async send(message, signal) {
    const outcome = await transport.send(message, signal);
    current()?.sent(transport.kind, outcome.kind);
    return outcome;
  },
});

/** Measures the duration of the answer when it ends. */
export function measureRequest(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  { current }: Measuring,
): void {
  if (current() === null) return;
  const startedMs = performance.now();
  response.once('close', () =>
    current()?.answered({ method, url, status: response.statusCode }, secondsSince(startedMs)),
  );
}
