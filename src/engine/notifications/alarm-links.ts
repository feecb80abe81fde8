import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { AlarmLink } from '../../store/notifications/alarm-deliveries-table.ts';
import type { AlarmRecord } from '../../store/notifications/alarms-table.ts';
import type { Store } from '../../store/store.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import type { Actor } from '../shared/audit.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { sameHash } from '../users/secrets.ts';

/** A link is valid for so long, unless its alarms end before, milliseconds. */
const linkLifeMs = 24 * 3_600_000;

/** Part of the hashed text, so that a secret of another purpose never matches. */
const format = 'tapster-alarm-1';

export interface AcknowledgeParts {
  acknowledge(alarm: AlarmRecord, context: ActorContext & { readonly channel?: string | null }): boolean;
}

/** A new secret of 256 bits in 43 characters, and the hash to be stored. The secret belongs only in the message. */
export function createLinkSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

/** Links in messages, by which alarms are acknowledged without a login: once, and by whoever has the message. */
export function createAlarmLinks(parts: EngineParts, { acknowledge }: AcknowledgeParts) {
  const { store } = parts;
  const find = (secret: string, now: Moment): readonly AlarmLink[] => {
    const links = findLinks(store, secret, now);
    if (links.length === 0)
      throw new AppError('not_found', 'This link was used, or its alarm is over.', {
        reason: { name: 'not_found' },
      });
    return links;
  };
  return {
    /** The open alarms of a link. Throws `not_found` for a wrong, used or expired one. */
    linkedAlarms: (secret: string, now: Moment): readonly AlarmRecord[] =>
      find(secret, now).map(({ alarmId }) => store.notifications.alarms.byId(alarmId)!),

    /** Acknowledges the open alarms of a link, which is then used up. Throws `not_found` like `linkedAlarms`. */
    acknowledgeByLink: (secret: string, now: Moment): readonly AlarmRecord[] =>
      change(
        parts,
        () => {
          const links = find(secret, now);
          const { actor, channel } = toActor(store, links[0]!.receiver);
          for (const { alarmId } of links)
            acknowledge(store.notifications.alarms.byId(alarmId)!, { actor, channel, now });
          store.notifications.alarmDeliveries.removeLink(links[0]!.hash);
          return links.map(({ alarmId }) => store.notifications.alarms.byId(alarmId)!);
        },
        'operation',
      ),
  };
}

/** The links of a secret to alarms that are still open; a secret of the wrong form is not looked up. */
function findLinks(store: Store, secret: string, now: Moment): readonly AlarmLink[] {
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) return [];
  const hash = hashSecret(secret);
  return store.notifications.alarmDeliveries
    .byLink(hash)
    .filter(
      (link) =>
        sameHash(link.hash, hash) &&
        Math.abs(now.wallMs - link.timeMs) < linkLifeMs &&
        isReceiver(store, link.receiver) &&
        store.notifications.alarms.byId(link.alarmId)?.resolvedMs === null,
    );
}

/** Whether the receiver is still one: a deleted channel and somebody who left may not act any more. */
export function isReceiver(store: Store, receiver: string): boolean {
  const [type, id] = receiver.split(':');
  if (type === 'channel') return store.notifications.alarmChannels.byId(Number(id))?.isEnabled === true;
  const user = store.users.byId(Number(id));
  return user?.isActive === true && (user.isStaff || user.isSuperuser);
}

/** Who acts by a link, or in the app of a service: the user who got the mail, or whoever reads the channel. */
export function toActor(
  store: Store,
  receiver: string,
): { readonly actor: Actor; readonly channel: string | null } {
  const [type, id] = receiver.split(':');
  const channel = type === 'channel' ? store.notifications.alarmChannels.byId(Number(id)) : null;
  const userId = type === 'user' ? Number(id) : (channel?.userId ?? null);
  return { actor: { userId, via: 'link' }, channel: channel?.name ?? null };
}

/** A single hash is enough for 256 random bits, which cannot be guessed. */
const hashSecret = (secret: string): Buffer => createHash('sha256').update(`${format}:${secret}`).digest();
