import type { Moment } from '../../core/clock/moment.ts';
import { textProblem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import type { MeterPour } from '../../core/pours/meter-pour.ts';
import { recoverPours } from '../../core/pours/recover-pours.ts';
import type { MeterFeed, MeterSettings } from '../../devices/meter-feed.ts';
import type { PourJournal } from '../../store/journal/pour-journal.ts';
import type { Logger } from '../../system/log/log.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';
import type { PourRecorder } from './pour-recorder.ts';

/**
 * Processes the pours that an earlier run left in the journal: those on `meters` may be resumed, others are
 * finished as recovered or counted as drips. Returns false when the journal cannot be read now; call it again
 * later.
 */
export function reopenPours(options: {
  readonly journal: PourJournal;
  readonly feed: MeterFeed;
  readonly recorder: PourRecorder;
  /** True when the database has this pour already; false while it is closed. */
  readonly isRecorded: (pourId: string) => boolean;
  readonly now: Moment;
  readonly meters: readonly MeterSettings[];
  /** Other sources, whose meters are not known yet: their pours may be resumed within `idleMs`. */
  readonly others?: {
    readonly idleMs: number;
    owns(meter: string): boolean;
    resume(pour: MeterPour): void;
  };
  readonly noiseShare: number;
  readonly reportProblem: ReportProblem;
  readonly log: Logger;
}): boolean {
  const { journal, feed, recorder, isRecorded, now, others, noiseShare, reportProblem, log } = options;
  let journaled: ReturnType<PourJournal['recover']>;
  try {
    journaled = journal.recover();
  } catch (cause) {
    reportProblem(toProblems(cause, textProblem(String(cause))), cause);
    return false;
  }
  const { setAside } = journal.state();
  if (setAside !== null)
    log.warn({ file: setAside }, 'the pour journal was damaged and set aside; a new one is started');
  if (journaled.length === 0) return true;

  // Recorded already: the power failed between the commits of database and journal. Resuming would absorb
  // the next pour.
  const recorded = journaled.filter(({ pour }) => isRecorded(pour.pourId));
  for (const { pour } of recorded) journal.free(pour.pourId);
  const unrecorded = journaled.filter((entry) => !recorded.includes(entry));
  const otherMeters =
    others === undefined
      ? []
      : unrecorded
          .filter(({ pour }) => others.owns(pour.meter))
          .map(({ pour }) => ({ name: pour.meter, idleMs: others.idleMs }));
  const meters = [...options.meters, ...otherMeters];
  const { resumed, ended, drips } = recoverPours({ journaled: unrecorded, now, meters, noiseShare });
  for (const pour of resumed) {
    if (others?.owns(pour.meter)) others.resume(pour);
    else feed.resume(pour);
  }
  for (const { pourId, meter, ...drip } of drips) recorder.addDrip(meter, pourId, drip);
  for (const pour of ended) recorder.record(pour);
  log.info(
    { resumed: resumed.length, finished: ended.length, drips: drips.length },
    'pours of an earlier run were recovered from the journal',
  );
  return true;
}
