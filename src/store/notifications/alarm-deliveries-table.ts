import { type AlarmDelivery, type AlarmPolicy, resolvedRound } from '../../core/alarms/alarm-policy.ts';
import { formatOpeningHours, parseOpeningHours } from '../../core/clock/opening-hours.ts';
import type { Database } from '../database.ts';

/** A link by which alarms are acknowledged. */
export interface AlarmLink {
  readonly alarmId: number;
  /** `channel:<id>` or `user:<id>`. */
  readonly receiver: string;
  readonly timeMs: number;
  readonly hash: Uint8Array;
}

/** A message that a service repeats until it is acknowledged in its app; one row for each of its alarms. */
export interface AlarmReceipt {
  readonly alarmId: number;
  readonly receiver: string;
  readonly receipt: string;
  readonly sentMs: number;
}

/** A delivery and when its message was sent. */
export interface AlarmDeliveryRecord extends AlarmDelivery {
  /** Null until it was sent. */
  readonly sentMs: number | null;
}

interface PolicyRow {
  group_wait_s: number;
  next_step_minutes: number;
  repeat_minutes: number;
  max_rounds: number;
  quiet_hours: string | null;
}

/** Who was told of which alarm, and the rules for it. */
export function alarmDeliveriesTable(db: Database) {
  const readPolicy = db.prepare<[], PolicyRow>('SELECT * FROM alarm_policy');
  const writePolicy = db.prepare<PolicyRow>(
    `UPDATE alarm_policy SET group_wait_s = @group_wait_s, next_step_minutes = @next_step_minutes,
       repeat_minutes = @repeat_minutes, max_rounds = @max_rounds, quiet_hours = @quiet_hours`,
  );
  const byAlarm = db.prepare<[number], AlarmDeliveryRecord>(
    `SELECT alarm_id AS alarmId, receiver, round, time_ms AS timeMs, sent_time_ms AS sentMs FROM alarm_deliveries WHERE alarm_id = ?
     ORDER BY time_ms`,
  );
  const insert = db.prepare<AlarmDelivery & { messageId: number; linkHash: Uint8Array | null }>(
    `INSERT INTO alarm_deliveries (alarm_id, receiver, round, time_ms, message_id, link_hash)
     VALUES (@alarmId, @receiver, @round, @timeMs, @messageId, @linkHash)`,
  );
  const pullBack = db.prepare<{ nowMs: number }>(
    'UPDATE alarm_deliveries SET time_ms = @nowMs WHERE time_ms > @nowMs',
  );
  const markSent = db.prepare<{ messageId: number; ms: number; receipt: string | null }>(
    'UPDATE alarm_deliveries SET sent_time_ms = @ms, receipt = @receipt WHERE message_id = @messageId',
  );
  const receipts = db.prepare<[], AlarmReceipt>(
    `SELECT alarm_id AS alarmId, receiver, receipt, sent_time_ms AS sentMs FROM alarm_deliveries
     WHERE receipt IS NOT NULL AND sent_time_ms IS NOT NULL ORDER BY receipt, alarm_id`,
  );
  const removeReceipt = db.prepare<[string]>('UPDATE alarm_deliveries SET receipt = NULL WHERE receipt = ?');
  const wasTold = db
    .prepare<[number, string], number>(
      `SELECT 1 FROM alarm_deliveries WHERE alarm_id = ? AND receiver = ? AND round <> ${resolvedRound}
       AND sent_time_ms IS NOT NULL LIMIT 1`,
    )
    .pluck();
  const byLink = db.prepare<[Uint8Array], AlarmLink>(
    `SELECT alarm_id AS alarmId, receiver, time_ms AS timeMs, link_hash AS hash FROM alarm_deliveries
     WHERE link_hash = ? ORDER BY alarm_id`,
  );
  const removeLink = db.prepare<[Uint8Array]>(
    'UPDATE alarm_deliveries SET link_hash = NULL WHERE link_hash = ?',
  );
  return {
    policy(): AlarmPolicy {
      const row = readPolicy.get()!;
      return {
        groupWaitS: row.group_wait_s,
        nextStepMinutes: row.next_step_minutes,
        repeatMinutes: row.repeat_minutes,
        maxRounds: row.max_rounds,
        quietHours: parseOpeningHours(row.quiet_hours),
      };
    },
    writePolicy: (policy: AlarmPolicy): void =>
      void writePolicy.run({
        group_wait_s: policy.groupWaitS,
        next_step_minutes: policy.nextStepMinutes,
        repeat_minutes: policy.repeatMinutes,
        max_rounds: policy.maxRounds,
        quiet_hours: policy.quietHours && formatOpeningHours(policy.quietHours),
      }),
    byAlarm: (alarmId: number): readonly AlarmDeliveryRecord[] => byAlarm.all(alarmId),
    add: (delivery: AlarmDelivery & { messageId: number; linkHash: Uint8Array | null }): void =>
      void insert.run(delivery),
    /** Sets times in the future, which were written before the clock stepped back, to now. */
    pullBack: (nowMs: number): void => void pullBack.run({ nowMs }),
    /** Records that a message of the outbox was sent; nothing for a message that is not about alarms. */
    markSent: (messageId: number, ms: number, receipt: string | null): void =>
      void markSent.run({ messageId, ms, receipt }),
    /** Those of which it is not known yet whether they were acknowledged. */
    receipts: (): readonly AlarmReceipt[] => receipts.all(),
    removeReceipt: (receipt: string): void => void removeReceipt.run(receipt),
    /** Whether a message of that alarm was sent to the receiver before its end. */
    wasTold: (alarmId: number, receiver: string): boolean => wasTold.get(alarmId, receiver) === 1,
    /** The alarms of a link, one row for each. */
    byLink: (hash: Uint8Array): readonly AlarmLink[] => byLink.all(hash),
    removeLink: (hash: Uint8Array): void => void removeLink.run(hash),
  };
}
