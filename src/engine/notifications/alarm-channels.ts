import { type AlarmChannelKind, isAlarmChannelKind } from '../../core/alarms/alarm-channels.ts';
import type { AlarmKinds } from '../../core/alarms/alarm-kinds.ts';
import type { AlarmChannelRecord } from '../../store/notifications/alarm-channels-table.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { requireFound, validateNumber, validateText, validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { type ChannelFieldChanges, parseChannelFields } from './alarm-channel-fields.ts';

export type { AlarmChannelRecord } from '../../store/notifications/alarm-channels-table.ts';

/** The most channels: each has its own queue. */
const maxChannels = 20;
/** A deleted channel can be restored for so long, milliseconds. */
const restorableMs = 24 * 3_600_000;

/** A channel and the state of its queue. */
export interface AlarmChannelView extends AlarmChannelRecord {
  /** Number of waiting messages. */
  readonly waiting: number;
  /** Number of messages that were given up. */
  readonly dead: number;
  /** Username of the person. */
  readonly username: string | null;
}

/** A channel in the language of its messages: its own, else that of its person; null: that of the site. */
export interface AlarmChannelTarget extends AlarmChannelRecord {
  /** False while it is switched off, or its person has no access. */
  readonly isReachable: boolean;
}

export interface AlarmChannelChange {
  readonly name?: string;
  /** Absent and empty secrets stay; null removes one. */
  readonly fields?: ChannelFieldChanges;
  readonly username?: string | null;
  readonly language?: string | null;
  readonly onlyUrgent?: boolean;
  readonly alarmKinds?: readonly string[] | null;
  readonly step?: number;
  readonly isEnabled?: boolean;
}

/** Channels through which alarms are sent, besides the e-mails that users choose. */
export function createAlarmChannels(parts: EngineParts) {
  const { store, settings } = parts;
  const view = (channel: AlarmChannelRecord): AlarmChannelView => ({
    ...channel,
    waiting: store.notifications.outbox.countFor('alarm', toTarget(channel.id), 'waiting'),
    dead: store.notifications.outbox.countFor('alarm', toTarget(channel.id), 'dead'),
    username: channel.userId === null ? null : (store.users.byId(channel.userId)?.username ?? null),
  });
  const get = (id: number): AlarmChannelView =>
    view(
      requireFound(
        Number.isSafeInteger(id) ? store.notifications.alarmChannels.byId(id) : null,
        `alarm channel ${id}`,
      ),
    );
  const entry = <T>(action: string, id: number | ((created: T) => number)) => ({
    action,
    kind: 'alarm_channel',
    id,
    snapshot(channelId: number) {
      const channel = store.notifications.alarmChannels.byId(channelId);
      return channel && toAuditValue(channel);
    },
  });
  const merge = (before: Omit<AlarmChannelRecord, 'id'>, requested: AlarmChannelChange) => {
    const { fields = {}, name, username, step, alarmKinds, ...rest } = requested;
    return {
      ...before,
      ...rest,
      ...(name !== undefined && { name: validateText('name', name, { max: 64 }) }),
      ...(step !== undefined && { step: validateNumber('step', step, { min: 1, max: 3, whole: true }) }),
      ...(alarmKinds !== undefined && { alarmKinds: parseKinds(store.notifications.alarmKinds, alarmKinds) }),
      ...(username !== undefined && { userId: findUserId(username) }),
      ...parseChannelFields(before, fields, settings),
    };
  };
  const findUserId = (username: string | null): number | null => {
    if (username === null || username === '') return null;
    const user = store.users.byName(username);
    if (!user?.isStaff && !user?.isSuperuser) throw validationError('user_id', 'must be a member of staff');
    return user.id;
  };

  return {
    /** In the order in which they were added; with secrets: for the transport, never for a page. */
    list: (): readonly AlarmChannelView[] => store.notifications.alarmChannels.all().map(view),

    /** Throws `not_found`. */
    get,

    /** What the transport needs; null for a deleted channel. */
    target(id: number): AlarmChannelTarget | null {
      const channel = Number.isSafeInteger(id) ? store.notifications.alarmChannels.byId(id) : null;
      if (channel === null) return null;
      const person = channel.userId === null ? null : store.users.byId(channel.userId);
      return {
        ...channel,
        language: channel.language ?? person?.notificationLanguage ?? null,
        isReachable: channel.isEnabled && (channel.userId === null || person?.isActive === true),
      };
    },

    /** To cancel what was sent: also a channel that is off or was deleted lately; null for another. */
    withDeleted: (id: number): AlarmChannelRecord | null => store.notifications.alarmChannels.withDeleted(id),

    /** Throws `invalid_request`. */
    add: (
      { kind, ...requested }: AlarmChannelChange & { readonly kind: string; readonly name: string },
      context: ActorContext,
    ): AlarmChannelView =>
      auditedChange(
        parts,
        context,
        entry<AlarmChannelView>('alarm_channel.added', ({ id }) => id),
        () => {
          if (!isAlarmChannelKind(kind)) throw validationError('kind', 'is no kind of channel');
          if (store.notifications.alarmChannels.all().length >= maxChannels)
            throw validationError('kind', `is one too many: at most ${maxChannels} channels are allowed`);
          return get(store.notifications.alarmChannels.add(merge(emptyChannel(kind), requested)));
        },
      ),

    /**
     * Absent fields stay unchanged. Another server or account drops the secrets, which belong to the old one. Throws
     * `invalid_request`, `not_found`.
     */
    edit: (id: number, requested: AlarmChannelChange, context: ActorContext): AlarmChannelView =>
      auditedChange(parts, context, entry('alarm_channel.changed', id), () => {
        const before = requireFound(store.notifications.alarmChannels.byId(id), `alarm channel ${id}`);
        store.notifications.alarmChannels.change({ ...merge(before, requested), id });
        return get(id);
      }),

    /** Its waiting messages are skipped. It can be restored for a day. Throws `not_found`. */
    remove: (id: number, context: ActorContext): void =>
      auditedChange(parts, context, entry('alarm_channel.removed', id), () => {
        get(id);
        const nowMs = Math.max(0, Math.round(context.now.wallMs));
        store.notifications.alarmChannels.purge(nowMs - restorableMs);
        store.notifications.alarmChannels.markDeleted(id, nowMs);
      }),

    /** Throws `not_found` unless it was deleted lately. */
    restore: (id: number, context: ActorContext): AlarmChannelView =>
      auditedChange(parts, context, entry('alarm_channel.restored', id), () => {
        requireFound(
          store.notifications.alarmChannels.restore(id) ? true : null,
          `deleted alarm channel ${id}`,
        );
        return get(id);
      }),
  };
}

export const toTarget = (id: number): string => `channel:${id}`;

const emptyChannel = (kind: AlarmChannelKind): Omit<AlarmChannelRecord, 'id'> => ({
  kind,
  name: '',
  settings: {},
  secrets: {},
  userId: null,
  language: null,
  onlyUrgent: false,
  alarmKinds: null,
  step: 1,
  isEnabled: true,
});

/** The channel for the audit log: without secrets, names of persons, and addresses, which may contain either. */
function toAuditValue({
  kind,
  settings,
  secrets,
  onlyUrgent,
  alarmKinds,
  step,
  isEnabled,
}: AlarmChannelRecord) {
  const { url } = settings;
  return {
    kind,
    host: url === undefined ? null : new URL(url).host,
    secrets: Object.keys(secrets),
    onlyUrgent,
    alarmKinds,
    step,
    isEnabled,
  };
}

function parseKinds(known: AlarmKinds, kinds: readonly string[] | null): readonly string[] | null {
  if (kinds === null) return null;
  const unknown = kinds.find((kind) => known.find(kind) === null);
  if (unknown !== undefined) throw validationError('alarm_kinds', 'must be kinds of alarms');
  return [...new Set(kinds)];
}
