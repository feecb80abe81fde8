import {
  type AlarmEvent,
  type AlarmReceiver,
  type DueAlarmMessage,
  findDueAlarmMessages,
} from '../../core/alarms/alarm-policy.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { AlarmRecord } from '../../store/notifications/alarms-table.ts';
import type { Store } from '../../store/store.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { testAlarmKind, toAlarmState } from './alarm-kind-rules.ts';
import { createLinkSecret } from './alarm-links.ts';

/** The end of an alarm is told for so long after it, milliseconds: the longest quiet hours are shorter. */
const endToldMs = 24 * 3_600_000;
/** The test alarm ends by itself after this time, milliseconds. */
const testLastsMs = 3_600_000;
/** Times that are further ahead than the clock is ever adjusted without a step, milliseconds. */
const aheadMs = 60_000;

/** What the outbox stores of a message: ids, since alarms go on until it is sent. */
export interface AlarmNote {
  readonly alarm_event: AlarmEvent;
  readonly alarms: readonly number[];
  /** Secret of the link by which the alarms are acknowledged; absent without a link. */
  readonly link?: string;
}

/** Tells the receivers of alarms through the outbox. */
export function createAlarmDelivery(
  parts: EngineParts,
  { resolve }: { resolve(alarm: AlarmRecord, now: Moment): void },
) {
  const { store } = parts;

  /** Alarms that messages may be about, and who was told of them. */
  const readAlarms = (now: Moment) => {
    const alarms = [
      ...store.notifications.alarms.open(),
      ...store.notifications.alarms.resolvedSince(now.wallMs - endToldMs),
    ];
    return {
      alarms,
      deliveries: alarms.flatMap(({ id }) => store.notifications.alarmDeliveries.byAlarm(id)),
    };
  };
  const findDue = (now: Moment, { alarms, deliveries }: ReturnType<typeof readAlarms>) =>
    findDueAlarmMessages({
      alarms: alarms.map((alarm) => toAlarmState(store.notifications.alarmKinds, alarm)),
      receivers: listReceivers(store, new Set(alarms.map(({ kind }) => kind))),
      deliveries,
      policy: store.notifications.alarmDeliveries.policy(),
      nowMs: now.wallMs,
      timeZone: store.site.read().timeZone,
    });

  return {
    /** Queues the messages that are due; called every few seconds. Writes only if there are any. */
    sendDue(now: Moment): void {
      const oldTest = store.notifications.alarms
        .open()
        .find(({ kind, raisedMs }) => kind === testAlarmKind && now.wallMs - raisedMs >= testLastsMs);
      if (oldTest !== undefined) change(parts, () => resolve(oldTest, now), 'operation');
      const known = readAlarms(now);
      if (known.alarms.length === 0) return;
      // Written before the clock stepped back: they would hold repetitions back until that time comes again.
      const areAhead = known.deliveries.some(({ timeMs }) => timeMs > now.wallMs + aheadMs);
      if (!areAhead && findDue(now, known).length === 0) return;
      change(
        parts,
        () => {
          if (areAhead) store.notifications.alarmDeliveries.pullBack(toWallMs(now));
          for (const message of findDue(now, readAlarms(now))) queueMessage(store, message, now);
        },
        'operation',
      );
    },

    /** Whether a message of that alarm was sent to the receiver before its end. */
    wasTold: (id: number, receiver: string): boolean =>
      store.notifications.alarmDeliveries.wasTold(id, receiver),
  };
}

function queueMessage(store: Store, { receiver, event, deliveries }: DueAlarmMessage, now: Moment): void {
  const ids = [...new Set(deliveries.map(({ alarmId }) => alarmId))];
  const hasLink = event !== 'resolved' && store.notifications.mailSettings.read().baseUrl !== '';
  const link = hasLink ? createLinkSecret() : null;
  const note: AlarmNote = { alarm_event: event, alarms: ids, ...(link && { link: link.secret }) };
  const messageId = store.notifications.outbox.add({
    kind: receiver.startsWith('user:') ? 'mail' : 'alarm',
    target: receiver,
    topic: toTopic(store, event, ids),
    payload: JSON.stringify(note),
    createdTimeMs: toWallMs(now),
  });
  for (const { alarmId, round } of deliveries) {
    store.notifications.alarmDeliveries.add({
      alarmId,
      receiver,
      round,
      timeMs: toWallMs(now),
      messageId,
      linkHash: link?.hash ?? null,
    });
  }
}

/** What staff see of the message in the list of outgoing ones. */
function toTopic(store: Store, event: AlarmEvent, ids: readonly number[]): string {
  if (event === 'resolved' || event === 'digest') return `alarm_${event}`;
  return store.notifications.alarms.byId(ids[0]!)!.kind;
}

/** The enabled channels, and the users who chose one of these kinds for their e-mails. */
function listReceivers(store: Store, kinds: ReadonlySet<string>): readonly AlarmReceiver[] {
  const hasMail = store.notifications.mailSettings.read().host !== '';
  const channels = store.notifications.alarmChannels
    .all()
    .filter(({ kind, isEnabled }) => isEnabled && (kind !== 'mail' || hasMail))
    .filter(({ userId }) => userId === null || store.users.byId(userId)?.isActive === true)
    .map(({ id, step, onlyUrgent, alarmKinds }) => ({
      id: `channel:${id}`,
      step,
      onlyUrgent,
      kinds: alarmKinds && new Set([...alarmKinds, testAlarmKind]),
    }));
  const kindsOfUsers = new Map<number, Set<string>>();
  if (hasMail) {
    // The test alarm goes to everybody who gets alarms by e-mail.
    const chosen = store.notifications.alarmKinds.names.filter(
      (kind) => kinds.has(kind) || kinds.has(testAlarmKind),
    );
    for (const kind of chosen)
      for (const id of store.notifications.settings.staffRecipients(kind))
        kindsOfUsers.set(id, (kindsOfUsers.get(id) ?? new Set<string>([testAlarmKind])).add(kind));
  }
  return [
    ...[...kindsOfUsers].map(([id, chosen]) => ({
      id: `user:${id}`,
      step: 1,
      onlyUrgent: false,
      kinds: chosen,
    })),
    ...channels,
  ];
}

const toWallMs = ({ wallMs }: Moment): number => Math.max(0, Math.round(wallMs));
