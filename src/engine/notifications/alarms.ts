import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { AlarmRecord, AlarmSettings } from '../../store/notifications/alarms-table.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound, validateNumber } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { queueNews } from '../shared/queue-news.ts';
import { createAlarmDelivery } from './alarm-delivery.ts';
import { alarmRules, testAlarmKind } from './alarm-kind-rules.ts';
import { createAlarmLinks } from './alarm-links.ts';
import { createAlarmPolicy } from './alarm-policy.ts';
import { createAlarmReceipts } from './alarm-receipts.ts';

export type { AlarmRecord, AlarmSettings } from '../../store/notifications/alarms-table.ts';

/** An alarm and who was told of it. */
export interface AlarmView extends AlarmRecord {
  readonly urgency: 'high' | 'low';
  readonly told: readonly AlarmToldView[];
}

interface AlarmToldView {
  /** Username or name of the channel; null when it was deleted. */
  readonly recipient: string | null;
  /** 1 for the first message, 0 for the one about the end. */
  readonly round: number;
  readonly timeMs: number;
  readonly isSent: boolean;
}

/** Alarms: raised while a condition lasts, acknowledged by a person, resolved with the condition. */
export function createAlarms(parts: EngineParts) {
  const { store } = parts;
  const view = (alarm: AlarmRecord): AlarmView => ({
    ...alarm,
    urgency: alarmRules(store.notifications.alarmKinds, alarm.kind).urgency,
    told: store.notifications.alarmDeliveries
      .byAlarm(alarm.id)
      .map(({ receiver, round, timeMs, sentMs }) => ({
        recipient: toRecipient(store, receiver),
        round,
        timeMs,
        isSent: sentMs !== null,
      })),
  });
  const get = (id: number): AlarmRecord =>
    requireFound(Number.isSafeInteger(id) ? store.notifications.alarms.byId(id) : null, `alarm ${id}`);
  const findOpen = (kind: string, subject: string): AlarmRecord | null =>
    store.notifications.alarms.open().find((alarm) => alarm.kind === kind && alarm.subject === subject) ??
    null;

  /** Call it in a transaction. */
  const add = (kind: string, subject: string, details: object, now: Moment): boolean => {
    const ms = toWallMs(now);
    const id = store.notifications.alarms.raise(kind, subject, JSON.stringify(details), ms);
    if (id !== null) queueNews(store, 'alarm_raised', toNews({ id, kind, subject }), ms);
    return id !== null;
  };
  const resolve = (alarm: AlarmRecord, now: Moment): void => {
    if (!store.notifications.alarms.resolve(alarm.id, toWallMs(now))) return;
    // Its time is that of the alarm, by which both are matched.
    queueNews(store, 'alarm_resolved', toNews(alarm), alarm.raisedMs);
  };
  /** Call it in a transaction. False if it was acknowledged before, or is over. */
  const acknowledge = (
    alarm: AlarmRecord,
    { actor, channel = null, now }: ActorContext & { readonly channel?: string | null },
  ): boolean => {
    const by = { userId: channel === null ? actor.userId : null, channel };
    if (!store.notifications.alarms.acknowledge({ id: alarm.id, ms: toWallMs(now), ...by })) return false;
    const { kind, subject } = alarm;
    const after = { kind, subject, ...(channel !== null && { channel }) };
    const about = { kind: 'alarm', id: alarm.id };
    writeAudit(store, { actor, action: 'alarm.acknowledged', subject: about, after }, now);
    queueNews(store, 'alarm_acknowledged', toNews(alarm), alarm.raisedMs);
    return true;
  };

  return {
    ...createAlarmPolicy(parts),
    ...createAlarmDelivery(parts, { resolve }),
    ...createAlarmLinks(parts, { acknowledge }),
    ...createAlarmReceipts(parts, { acknowledge }),

    /** Every kind of alarm, also those of features that are off. */
    kinds: store.notifications.alarmKinds,

    settings: (): AlarmSettings => store.notifications.alarms.settings(),

    /** Absent fields stay unchanged. Throws `invalid_request`. */
    changeSettings: (requested: Partial<AlarmSettings>, actor: Actor, now: Moment): AlarmSettings =>
      change(parts, () => {
        const before = store.notifications.alarms.settings();
        const settings = parseSettings({ ...before, ...requested });
        store.notifications.alarms.changeSettings(settings);
        const subject = { kind: 'alarms', id: 'settings' };
        writeAudit(store, { actor, action: 'alarms.changed', subject, before, after: settings }, now);
        return settings;
      }),

    /** Open alarms that conditions have raised; stored in the database. */
    raised: (): readonly Pick<AlarmRecord, 'kind' | 'subject'>[] =>
      store.notifications.alarms
        .open()
        .filter(({ kind }) => kind !== testAlarmKind)
        .map(({ kind, subject }) => ({ kind, subject })),

    /** Raises an alarm, of which `sendDue` tells. False if it is open already. */
    raise: (kind: string, subject: string, values: object, now: Moment): boolean =>
      change(parts, () => add(kind, toSubject(subject), values, now), 'operation'),

    /** Resolves an alarm, so that it can be raised again. */
    clear(kind: string, subject: string, now: Moment): void {
      const alarm = findOpen(kind, toSubject(subject));
      if (alarm !== null) change(parts, () => resolve(alarm, now), 'operation');
    },

    /** Newest first. */
    list: ({ isOpen, ...page }: PageRequest & { readonly isOpen?: boolean }): Page<AlarmView> =>
      readPage(page, store.notifications.alarms.count(isOpen ?? null), (slice) =>
        store.notifications.alarms.page(isOpen ?? null, slice).map(view),
      ),

    find(id: number): AlarmView | null {
      const alarm = store.notifications.alarms.byId(id);
      return alarm && view(alarm);
    },

    /** Throws `not_found`. */
    get: (id: number): AlarmView => view(get(id)),

    /** Number of open alarms that nobody has acknowledged. */
    unacknowledgedCount: store.cachedUntilChange(store.notifications.alarms.unacknowledgedCount),

    /** Stops the repetitions. Without effect on an alarm that is acknowledged or over. Throws `not_found`. */
    acknowledge: (id: number, context: ActorContext): AlarmView =>
      change(
        parts,
        () => {
          acknowledge(get(id), context);
          return view(get(id));
        },
        'operation',
      ),

    /** Raises the test alarm, which goes through all channels; returns the open one if there is one. */
    raiseTest: (context: ActorContext): AlarmView =>
      change(parts, () => {
        if (add(testAlarmKind, testAlarmSubject, {}, context.now)) {
          const { id } = findOpen(testAlarmKind, testAlarmSubject)!;
          const subject = { kind: 'alarm', id };
          writeAudit(store, { actor: context.actor, action: 'alarm.test_raised', subject }, context.now);
        }
        return view(findOpen(testAlarmKind, testAlarmSubject)!);
      }),

    /** Ends the test alarm. Throws `conflict` for another, which ends with its condition; `not_found`. */
    resolveTest: (id: number, context: ActorContext): AlarmView =>
      auditedChange(
        parts,
        context,
        {
          action: 'alarm.test_resolved',
          kind: 'alarm',
          id,
          writes: 'operation',
          snapshot: () => null,
        },
        () => {
          const alarm = get(id);
          if (alarm.kind !== testAlarmKind)
            throw new AppError(
              'conflict',
              'Only the test alarm can be ended; others end with their condition.',
            );
          resolve(alarm, context.now);
          return view(get(id));
        },
      ),
  };
}

const testAlarmSubject = 'Tapster';

const toSubject = (text: string) => [...text].slice(0, 256).join('') || 'Tapster';

const toWallMs = ({ wallMs }: Moment): number => Math.max(0, Math.round(wallMs));

const toNews = ({ id, kind, subject }: Pick<AlarmRecord, 'id' | 'kind' | 'subject'>) => ({
  alarm: kind,
  subject,
  alarm_id: id,
});

/** Username or name of the channel; null when it is gone. */
function toRecipient(store: Store, receiver: string): string | null {
  const [type, id] = receiver.split(':');
  if (type === 'user') return store.users.byId(Number(id))?.username ?? null;
  return store.notifications.alarmChannels.byId(Number(id))?.name ?? null;
}

function parseSettings({
  tooWarmC,
  tooWarmMinutes,
  silentMinutes,
  diskEnduranceTb,
}: AlarmSettings): AlarmSettings {
  return {
    tooWarmC: tooWarmC === null ? null : validateNumber('too_warm_c', tooWarmC, { min: -50, max: 125 }),
    tooWarmMinutes: validateNumber('too_warm_minutes', tooWarmMinutes, { min: 0, max: 1_440, whole: true }),
    silentMinutes: validateNumber('silent_minutes', silentMinutes, { min: 1, max: 10_080, whole: true }),
    diskEnduranceTb:
      diskEnduranceTb === null
        ? null
        : validateNumber('disk_endurance_tb', diskEnduranceTb, { min: 0.1, max: 10_000 }),
  };
}
