import { ConditionTimer } from '../../core/alarms/alarm-rules.ts';
import type { Condition } from '../../core/alarms/condition.ts';
import type { Clock, Moment } from '../../core/clock/moment.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Logger } from '../../system/log/log.ts';
import { type Detector, minuteMs } from './conditions/condition.ts';

/**
 * A condition must be good for this long before its alarm is cleared, so one thing causes at most two mails
 * an hour.
 */
const clearDelayMs = 30 * minuteMs;

interface AlarmMonitorOptions {
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly detectors: readonly Detector[];
  readonly log: Pick<Logger, 'warn'>;
}

/** Checks once a minute for conditions that staff should know of, and raises each alarm once. */
export class AlarmMonitor {
  readonly #options: AlarmMonitorOptions;
  readonly #trackers = new Map<string, ConditionTimer>();
  readonly #lastFound = new Map<Detector, readonly Condition[]>();

  constructor(options: AlarmMonitorOptions) {
    this.#options = options;
  }

  /**
   * Called once a minute. An alarm that cannot be stored now, because the disk is full, is raised as soon as
   * it can.
   */
  poll(): void {
    const engine = this.#options.engine();
    if (engine === null) return;
    const now = this.#options.clock.now();
    const { conditions, isComplete } = this.#detect(engine, now);
    const raised = new Map(engine.notifications.alarms.raised().map((alarm) => [toKey(alarm), alarm]));
    for (const condition of conditions) {
      const key = toKey(condition);
      this.#update(engine, condition, { isRaised: raised.has(key), now });
      raised.delete(key);
    }
    // A raised condition whose subject no longer exists is cleared.
    if (!isComplete) return;
    for (const { kind, subject } of raised.values()) engine.notifications.alarms.clear(kind, subject, now);
    const keys = new Set(conditions.map(toKey));
    for (const key of this.#trackers.keys()) if (!keys.has(key)) this.#trackers.delete(key);
  }

  /** A detector that fails hides no alarm of the others; what it found last is unknown meanwhile. */
  #detect(engine: Engine, now: Moment) {
    let isComplete = true;
    const conditions = this.#options.detectors.flatMap((detect): readonly Condition[] => {
      try {
        const found = detect(engine, now);
        this.#lastFound.set(detect, found);
        return found;
      } catch (err) {
        this.#options.log.warn({ err }, 'an alarm condition could not be checked; trying again in a minute');
        isComplete &&= this.#lastFound.has(detect);
        return (this.#lastFound.get(detect) ?? []).map((last) => ({ ...last, state: 'unknown' as const }));
      }
    });
    return { conditions, isComplete };
  }

  #update(engine: Engine, condition: Condition, { isRaised, now }: { isRaised: boolean; now: Moment }): void {
    const key = toKey(condition);
    const tracker = this.#trackers.get(key) ?? new ConditionTimer();
    this.#trackers.set(key, tracker);
    const { badForMs, goodForMs } = tracker.step(condition.state, now.monoMs);
    if (!isRaised && badForMs !== null && badForMs >= condition.lastsMs) {
      this.#options.log.warn({ alarm: condition.kind, subject: condition.subject }, 'alarm raised');
      engine.notifications.alarms.raise(condition.kind, condition.subject, condition.values, now);
    }
    if (isRaised && goodForMs !== null && goodForMs >= (condition.clearsAfterMs ?? clearDelayMs))
      engine.notifications.alarms.clear(condition.kind, condition.subject, now);
  }
}

const toKey = ({ kind, subject }: { readonly kind: string; readonly subject: string }): string =>
  `${kind} ${subject}`;
