import type { Moment } from '../../../core/clock/moment.ts';
import { type LineFinding, lineFindings } from '../../../core/measurement/line-health.ts';
import type { Engine } from '../../../engine/engine.ts';
import { type Condition, type Detector, hourMs } from './condition.ts';

/** Only finished evenings are judged: more often nothing changes but what staff correct. */
const checkEveryMs = 6 * hourMs;

/**
 * Taps whose flow differed from their usual one on two evenings. One good evening ends the alarm. Low pressure is that of the
 * whole bar: one alarm, which names the first of its taps.
 */
export function detectLineFlow(): Detector {
  let checkedMonoMs: number | null = null;
  let conditions: readonly Condition[] = [];
  return (engine, now) => {
    // What was found before a start without a set clock stays as it is.
    if (!now.synced && checkedMonoMs === null) return listConditions(engine, () => 'unknown');
    const isDue = checkedMonoMs === null || now.monoMs - checkedMonoMs >= checkEveryMs;
    if (now.synced && isDue) {
      // Some minutes after a start: a few evenings are read each time.
      if (!engine.taps.lineHealth.prepare(now))
        return checkedMonoMs === null ? listConditions(engine, () => 'unknown') : conditions;
      conditions = judge(engine, now);
      checkedMonoMs = now.monoMs;
    }
    return conditions;
  };
}

function judge(engine: Engine, now: Moment): readonly Condition[] {
  const found = new Set(
    engine.taps.lineHealth
      .all(now)
      .flatMap(({ tapId, findings }) => findings.map(({ kind }) => toSubject(tapId, kind))),
  );
  return listConditions(engine, (subject) => (found.has(subject) ? 'bad' : 'good'));
}

function listConditions(
  engine: Engine,
  stateOf: (subject: string) => Condition['state'],
): readonly Condition[] {
  const subjects = new Map<string, Condition>();
  for (const { tap } of engine.taps.list()) {
    if (tap.meter === null) continue;
    for (const kind of lineFindings) {
      const subject = toSubject(tap.id, kind);
      const state = stateOf(subject);
      if (subjects.has(subject)) continue;
      const values = { tap: tap.name, finding: kind };
      subjects.set(subject, { kind: 'line_flow', subject, state, lastsMs: 0, clearsAfterMs: 0, values });
    }
  }
  return [...subjects.values()];
}

const toSubject = (tapId: number, kind: LineFinding): string =>
  kind === 'low_pressure' ? 'gas' : `tap-${tapId} ${kind}`;
