import { offsetMs } from '../clock/local-days.ts';
import { isClosed } from '../clock/opening-hours.ts';

/** Who is told of alarms, when and how often. */
export interface AlarmPolicy {
  /** Alarms of one group that are raised within this time become one message, seconds. */
  readonly groupWaitS: number;
  /** An urgent alarm that nobody has acknowledged goes to the next step after this time, minutes. */
  readonly nextStepMinutes: number;
  /** An alarm that nobody has acknowledged is repeated after this time, minutes. */
  readonly repeatMinutes: number;
  /** Each recipient is told of an alarm at most so often; the end of the alarm comes in addition. */
  readonly maxRounds: number;
  /** Within these hours of the site (`HH:MM`) only urgent alarms of some kinds are sent; null: no quiet hours. */
  readonly quietHours: { readonly from: string; readonly until: string } | null;
}

/** The state of an alarm, with the rules of its kind. */
export interface AlarmState {
  readonly id: number;
  readonly kind: string;
  readonly urgency: 'high' | 'low';
  readonly breaksQuietHours: boolean;
  /** Alarms of one group have one cause, such as a power cut. */
  readonly group: string;
  readonly raisedMs: number;
  readonly acknowledgedMs: number | null;
  readonly resolvedMs: number | null;
}

/** Somebody who is told of alarms. */
export interface AlarmReceiver {
  /** `channel:<id>` or `user:<id>`. */
  readonly id: string;
  /** The first step is told at once, the others when nobody has acknowledged the alarm. */
  readonly step: number;
  /** True: only of urgent alarms. */
  readonly onlyUrgent: boolean;
  /** Null: all kinds. */
  readonly kinds: ReadonlySet<string> | null;
}

/** A receiver that was told of an alarm; round 0 is the end of the alarm. */
export interface AlarmDelivery {
  readonly alarmId: number;
  readonly receiver: string;
  readonly round: number;
  readonly timeMs: number;
}

export type AlarmEvent = 'raised' | 'escalated' | 'repeated' | 'digest' | 'resolved';

/** A message that is due. */
export interface DueAlarmMessage {
  readonly receiver: string;
  readonly event: AlarmEvent;
  readonly deliveries: readonly { readonly alarmId: number; readonly round: number }[];
}

interface AlarmSituation {
  /** Open alarms, and those that were resolved lately, in the order in which they were raised. */
  readonly alarms: readonly AlarmState[];
  readonly receivers: readonly AlarmReceiver[];
  readonly deliveries: readonly AlarmDelivery[];
  readonly policy: AlarmPolicy;
  /** Unix milliseconds. */
  readonly nowMs: number;
  readonly timeZone: string;
}

const minuteMs = 60_000;

/** Round of the message about the end of an alarm. */
export const resolvedRound = 0;

/**
 * Decides which messages are due. It depends on stored facts only: a restart changes nothing, and after an outage or a jump of
 * the clock each receiver gets one message of an alarm and not those that were missed.
 */
export function findDueAlarmMessages(situation: AlarmSituation): readonly DueAlarmMessage[] {
  const { alarms, receivers, deliveries, policy, nowMs, timeZone } = situation;
  const isQuiet = (ms: number) => isQuietHour(policy, ms, timeZone);
  const isQuietNow = isQuiet(nowMs);
  const messages = new Map<string, DueAlarmMessage>();
  const add = (receiver: string, event: AlarmEvent, alarm: AlarmState, rounds: readonly number[]) => {
    // A digest has everything that was held back.
    const key = JSON.stringify([receiver, event, event === 'digest' ? '' : alarm.group]);
    const found = messages.get(key);
    const added = rounds.map((round) => ({ alarmId: alarm.id, round }));
    messages.set(key, { receiver, event, deliveries: [...(found?.deliveries ?? []), ...added] });
  };
  const groupStarts = findGroupStarts(alarms, deliveries);

  for (const alarm of alarms) {
    if (isQuietNow && !alarm.breaksQuietHours) continue;
    const told = deliveries.filter(({ alarmId }) => alarmId === alarm.id);
    const rounds = told.filter(({ round }) => round !== resolvedRound);
    const wanting = receivers.filter((receiver) => wants(receiver, alarm));
    const steps = [...new Set(wanting.map(({ step }) => step))].sort((one, other) => one - other);
    const wasHeld = !alarm.breaksQuietHours && isQuiet(alarm.raisedMs + policy.groupWaitS * 1_000);

    if (alarm.resolvedMs !== null) {
      for (const { id, step } of wanting) {
        const own = told.filter(({ receiver }) => receiver === id);
        if (own.length === 0) {
          // Over before anybody was told: only what was held back is news in the morning.
          const lastedMs = alarm.resolvedMs - alarm.raisedMs;
          const isHeld = wasHeld || (!alarm.breaksQuietHours && isQuiet(alarm.resolvedMs));
          const isNews = isHeld && alarm.acknowledgedMs === null && lastedMs >= policy.groupWaitS * 1_000;
          if (isNews && step === steps[0]) add(id, 'digest', alarm, [1, resolvedRound]);
        } else if (own.every(({ round }) => round !== resolvedRound)) {
          add(id, 'resolved', alarm, [resolvedRound]);
        }
      }
      continue;
    }
    if (alarm.acknowledgedMs !== null) continue;

    const waitedMs = nowMs - (groupStarts.get(alarm.group) ?? alarm.raisedMs);
    // A start in the future was written before the clock stepped back.
    if (rounds.length === 0 && waitedMs >= 0 && waitedMs < policy.groupWaitS * 1_000) continue;
    const firstMs = Math.min(nowMs, ...rounds.map(({ timeMs }) => timeMs));
    for (const { id, step } of wanting) {
      const own = rounds.filter(({ receiver }) => receiver === id);
      const stepsBefore = steps.indexOf(step);
      if (own.length === 0) {
        // What is not urgent stays with the first step.
        if (stepsBefore > 0 && alarm.urgency === 'low') continue;
        if (nowMs - firstMs < stepsBefore * policy.nextStepMinutes * minuteMs) continue;
        add(id, stepsBefore > 0 ? 'escalated' : wasHeld ? 'digest' : 'raised', alarm, [1]);
        continue;
      }
      const lastMs = Math.max(...own.map(({ timeMs }) => timeMs));
      if (own.length < policy.maxRounds && nowMs - lastMs >= policy.repeatMinutes * minuteMs)
        add(id, 'repeated', alarm, [Math.max(...own.map(({ round }) => round)) + 1]);
    }
  }
  return [...messages.values()];
}

/** Whether a time is within the quiet hours. */
export function isQuietHour({ quietHours }: AlarmPolicy, ms: number, timeZone: string): boolean {
  if (quietHours === null || quietHours.from === quietHours.until) return false;
  const shown = new Date(ms + offsetMs(ms, timeZone)).toISOString();
  return !isClosed(quietHours, shown.slice(11, 16));
}

const wants = ({ onlyUrgent, kinds }: AlarmReceiver, { kind, urgency }: AlarmState): boolean =>
  (!onlyUrgent || urgency === 'high') && (kinds === null || kinds.has(kind));

/** The time at which the first alarm of each group was raised of which nobody was told yet. */
function findGroupStarts(
  alarms: readonly AlarmState[],
  deliveries: readonly AlarmDelivery[],
): ReadonlyMap<string, number> {
  const told = new Set(deliveries.map(({ alarmId }) => alarmId));
  const starts = new Map<string, number>();
  for (const { id, group, raisedMs, acknowledgedMs, resolvedMs } of alarms) {
    if (told.has(id) || acknowledgedMs !== null || resolvedMs !== null) continue;
    starts.set(group, Math.min(raisedMs, starts.get(group) ?? raisedMs));
  }
  return starts;
}
