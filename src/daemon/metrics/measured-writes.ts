import type { PourJournal } from '../../store/journal/pour-journal.ts';
import type { Store } from '../../store/store.ts';
import type { MetricValues } from './metric-values.ts';

/** Returns the store with the durations of its transactions in the metrics, each with its sync to the disk. */
export function measureCommits(store: Store, values: MetricValues): Store {
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
        values.observe('tapster_commit_duration_seconds', { kind }, (performance.now() - startedMs) / 1_000);
      }
    };
  return {
    ...store,
    recording: measured('pour', store.recording),
    transaction: measured('change', store.transaction),
  };
}

/** Returns the journal with the durations of its writes in the metrics; a checkpoint that changes nothing writes nothing. */
export function measureJournal(journal: PourJournal, values: MetricValues): PourJournal {
  function measured<T>(work: () => T): T {
    const before = journal.bytesWritten();
    const startedMs = performance.now();
    const result = work();
    const seconds = (performance.now() - startedMs) / 1_000;
    if (journal.bytesWritten() > before)
      values.observe('tapster_journal_write_duration_seconds', {}, seconds);
    return result;
  }
  return {
    ...journal,
    checkpoint: (open, now) => measured(() => journal.checkpoint(open, now)),
    addEnded: (pour, now) => measured(() => journal.addEnded(pour, now)),
  };
}
