import type { Moment } from '../../core/clock/moment.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { type AcknowledgeParts, isReceiver, toActor } from './alarm-links.ts';

/** A service repeats a message for so long, milliseconds; afterwards its receipt says nothing new. */
export const receiptLifeMs = 3_600_000;

/** A message that a service repeats until it is acknowledged in its app. */
export interface PendingReceipt {
  readonly receipt: string;
  readonly channelId: number;
  /** True when nobody has to acknowledge its alarms any more, or its channel is off or deleted: the service should stop. */
  readonly isOver: boolean;
}

/** Messages that a service repeats: whether they were acknowledged in its app. */
export function createAlarmReceipts(parts: EngineParts, { acknowledge }: AcknowledgeParts) {
  const { store } = parts;
  const byReceipt = (receipt: string) =>
    store.notifications.alarmDeliveries.receipts().filter((one) => one.receipt === receipt);

  return {
    /** Receipts that are still of use; forgets the others. */
    pendingReceipts(now: Moment): readonly PendingReceipt[] {
      const all = store.notifications.alarmDeliveries.receipts();
      if (all.length === 0) return [];
      const isOfUse = ({ sentMs }: (typeof all)[number]) => Math.abs(now.wallMs - sentMs) < receiptLifeMs;
      const old = new Set(all.filter((one) => !isOfUse(one)).map(({ receipt }) => receipt));
      if (old.size > 0)
        change(parts, () => old.forEach(store.notifications.alarmDeliveries.removeReceipt), 'operation');
      const receivers = new Map(
        all.flatMap(({ receipt, receiver }) => (old.has(receipt) ? [] : [[receipt, receiver] as const])),
      );
      return [...receivers].map(([receipt, receiver]) => ({
        receipt,
        channelId: Number(receiver.split(':')[1]),
        isOver:
          !isReceiver(store, receiver) ||
          byReceipt(receipt).every(({ alarmId }) => {
            const alarm = store.notifications.alarms.byId(alarmId);
            return alarm === null || alarm.acknowledgedMs !== null || alarm.resolvedMs !== null;
          }),
      }));
    },

    /** Acknowledges the alarms of a message, as by the link in it. */
    acknowledgeByReceipt: (receipt: string, now: Moment): void =>
      change(
        parts,
        () => {
          for (const { alarmId, receiver } of byReceipt(receipt)) {
            const alarm = store.notifications.alarms.byId(alarmId);
            if (alarm !== null) acknowledge(alarm, { ...toActor(store, receiver), now });
          }
          store.notifications.alarmDeliveries.removeReceipt(receipt);
        },
        'operation',
      ),

    /** Forgets a receipt. */
    removeReceipt: (receipt: string): void =>
      change(parts, () => store.notifications.alarmDeliveries.removeReceipt(receipt), 'operation'),
  };
}
