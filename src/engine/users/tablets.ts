import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { TabletRecord } from '../../store/users/tablets-table.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound, validateText } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { isTokenFormat } from './logins.ts';
import { PinUnlocks } from './pins/pin-unlocks.ts';

export type { TabletRecord } from '../../store/users/tablets-table.ts';

/** A shared tablet, for authentication. */
export interface Tablet {
  readonly id: number;
  readonly name: string;
}

/** The tablet of a token. */
interface FoundTablet extends Tablet {
  /** True when its use was just recorded: the cookie must be sent again. */
  readonly extended: boolean;
}

/** More than a large bar needs. */
const maxTablets = 50;
/** Uses closer together than this count as one, to avoid a write to the SD card with every page. */
const touchMs = 12 * 3_600_000;
/**
 * Part of the hashed text. A change of the stored data changes this version, and every tablet must be
 * enrolled again.
 */
const format = 'tapster-tablet-1';

/**
 * Shared tablets. A tablet sees what members see and cannot change anything by itself; a PIN unlock lets it
 * act for a user for a short time.
 */
export type Tablets = ReturnType<typeof createTablets>;

export function createTablets(parts: EngineParts) {
  const { store } = parts;
  const pinUnlocks = new PinUnlocks();

  const note = (action: string, tablet: TabletRecord, actor: Actor, now: Moment) =>
    writeAudit(
      store,
      { actor, action, subject: { kind: 'tablet', id: tablet.id }, after: { name: tablet.name } },
      now,
    );

  const extend = (tablet: TabletRecord, now: Moment): boolean => {
    if (Math.abs(now.wallMs - tablet.seenTimeMs) < touchMs) return false;
    try {
      store.transaction(() => {
        store.users.tablets.seen(tablet.id, Math.max(0, Math.round(now.wallMs)));
        store.provisionalTimes.note('tablet_seen', tablet.id, now);
      });
      return true;
    } catch {
      // A full disk must not lock out the person who comes to free space.
      return false;
    }
  };

  return {
    list: (page: PageRequest): Page<TabletRecord> =>
      readPage(page, store.users.tablets.count(), store.users.tablets.page),

    /** The token is returned only here; it is valid over HTTPS only if `isSecure`, else over plain HTTP only. `conflict` beyond fifty tablets. */
    enrol: (
      name: string,
      actor: Actor,
      now: Moment,
      isSecure = false,
    ): { readonly tablet: TabletRecord; readonly token: string } =>
      change(parts, () => {
        if (actor.userId === null) throw new Error('A tablet must be enrolled by a user.');
        if (store.users.tablets.count() >= maxTablets) {
          throw new AppError('conflict', `There are ${maxTablets} tablets already: remove one first.`, {
            reason: { name: 'too_many_entries', what: 'tablets', most: maxTablets },
          });
        }
        const token = randomBytes(32).toString('base64url');
        const ms = Math.max(0, Math.round(now.wallMs));
        const id = store.users.tablets.add({
          name: validateName(name),
          hash: hashToken(token, isSecure),
          userId: actor.userId,
          ms,
        });
        for (const kind of ['tablet_enrolled', 'tablet_seen'] as const)
          store.provisionalTimes.note(kind, id, now);
        const tablet = store.users.tablets.byId(id)!;
        note('tablet.enrolled', tablet, actor, now);
        return { tablet, token };
      }),

    rename: (id: number, name: string, actor: Actor, now: Moment): TabletRecord =>
      change(parts, () => {
        const before = requireFound(store.users.tablets.byId(id), 'such tablet');
        store.users.tablets.rename(id, validateName(name));
        const tablet = store.users.tablets.byId(id)!;
        if (tablet.name !== before.name) note('tablet.renamed', tablet, actor, now);
        return tablet;
      }),

    /** The tablet's token becomes invalid at once. */
    remove: (id: number, actor: Actor, now: Moment): void =>
      change(
        parts,
        () => {
          const tablet = requireFound(store.users.tablets.byId(id), 'such tablet');
          store.users.tablets.remove(id);
          for (const kind of ['tablet_enrolled', 'tablet_seen'] as const)
            store.provisionalTimes.clear(kind, id);
          pinUnlocks.end(id);
          note('tablet.removed', tablet, actor, now);
        },
        'removal',
      ),

    /** The tablet of a token, else null. */
    find(token: string, now: Moment, isSecure = false): FoundTablet | null {
      if (!isTokenFormat(token)) return null;
      const tablet = store.users.tablets.byHash(hashToken(token, isSecure));
      return tablet && { id: tablet.id, name: tablet.name, extended: extend(tablet, now) };
    },

    /** Starts a PIN unlock for a user; ends an earlier one of that tablet. */
    startPinUnlock: (
      tabletId: number,
      user: User,
      now: Moment,
    ): { readonly token: string; readonly seconds: number } =>
      pinUnlocks.open(
        tabletId,
        { userId: user.id, pinHash: store.users.pins.byUser(user.id)?.hash ?? '' },
        now,
      ),

    /**
     * The user for whom the tablet may act now; null when the unlock has ended or the user may no longer use
     * one.
     */
    unlockedUser(tabletId: number, token: string, now: Moment): User | null {
      const unlock = pinUnlocks.find(tabletId, token, now);
      if (unlock === null) return null;
      const user = store.users.byId(unlock.userId);
      const isStaff = user?.isActive === true && (user.isStaff || user.isSuperuser);
      // A PIN that was changed or removed ends its unlock.
      return isStaff && store.users.pins.byUser(user.id)?.hash === unlock.pinHash ? user : null;
    },

    endPinUnlock: (tabletId: number): void => pinUnlocks.end(tabletId),
  };
}

/** A single hash is enough for 256 random bits, which cannot be guessed. */
const hashToken = (token: string, isSecure: boolean): Buffer =>
  createHash('sha256')
    .update(`${format}${isSecure ? '-https' : ''}:${token}`)
    .digest();

const validateName = (name: string): string => validateText('name', name, { max: 64 });
