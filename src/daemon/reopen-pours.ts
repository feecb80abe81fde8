import type { Moment } from '../core/moment.ts';
import { recoverPours } from '../core/recover-pours.ts';
import type { MeterFeed, MeterSettings } from '../devices/meter-feed.ts';
import type { PourJournal } from '../store/journal/pour-journal.ts';
import type { Logger } from '../system/log.ts';
import type { ReportProblem } from './health-reporters.ts';
import type { PourRecorder } from './pour-recorder.ts';

/**
 * Takes up what a former run left in the journal: pours on `meters` may go on, others are finished as recovered, or were
 * only drips. False when the journal cannot be read now; ask again later.
 */
export function reopenPours(options: {
  readonly journal: PourJournal;
  readonly feed: MeterFeed;
  readonly recorder: PourRecorder;
  /** Whether the ledger has this pour already; false while it is closed. */
  readonly isRecorded: (pourId: string) => boolean;
  readonly now: Moment;
  readonly meters: readonly MeterSettings[];
  readonly noiseShare: number;
  readonly reportProblem: ReportProblem;
  readonly log: Logger;
}): boolean {
  const { journal, feed, recorder, isRecorded, now, meters, noiseShare, reportProblem, log } = options;
  let found: ReturnType<PourJournal['recover']>;
  try {
    found = journal.recover();
  } catch (cause) {
    reportProblem(cause instanceof Error ? cause.message : String(cause), cause);
    return false;
  }
  const { setAside } = journal.state();
  if (setAside !== null)
    log.warn({ file: setAside }, 'the pour journal was damaged and put aside; a new one is begun');
  if (found.length === 0) return true;

  // A power cut between the ledger's commit and the journal's: going on with it would swallow the next glass.
  const recorded = found.filter(({ pour }) => isRecorded(pour.pourId));
  for (const { pour } of recorded) journal.free(pour.pourId);
  const unrecorded = found.filter((entry) => !recorded.includes(entry));
  const { resumed, ended, drips } = recoverPours({ journaled: unrecorded, now, meters, noiseShare });
  for (const pour of resumed) feed.resume(pour);
  for (const { pourId, meter, ticks } of drips) recorder.drip(meter, pourId, ticks);
  for (const pour of ended) recorder.take(pour);
  log.info(
    { goOn: resumed.length, finished: ended.length, drips: drips.length },
    'took up the pours that a former run left',
  );
  return true;
}
