import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/moment.ts';
import type { User } from '../../core/records.ts';
import type { TabletRecord } from '../../store/tables/tablets-table.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { readPage, requireFound, validateText } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';
import type { Page, PageRequest } from '../views.ts';
import { isTokenFormat } from './logins.ts';
import { PinUnlocks } from './pin-unlocks.ts';

export type { TabletRecord } from '../../store/tables/tablets-table.ts';

/** A shared tablet, as far as a request needs to know it. */
export interface Tablet {
  readonly id: number;
  readonly name: string;
}

/** A tablet behind a token. */
export interface FoundTablet extends Tablet {
  /** True when it was just noted as seen: the cookie wants to be given out again. */
  readonly extended: boolean;
}

/** More than a large house has bars. */
const maxTablets = 50;
/** Uses closer together than this are one use: an SD card does not want a write with every page. */
const touchMs = 12 * 3_600_000;
/** Part of what is hashed. A change of what a tablet keeps changes this, and every tablet is enrolled anew. */
const format = 'tapster-tablet-1';

/**
 * Tablets that many hands share. One of them sees what members see and does nothing by itself; somebody's leave, given
 * after a PIN, lets it do a little in that person's name for a short while.
 */
export interface Tablets {
  list(page: PageRequest): Page<TabletRecord>;
  /** The token is shown here and never again. `conflict` beyond fifty tablets. */
  enrol(name: string, actor: Actor, now: Moment): { readonly tablet: TabletRecord; readonly token: string };
  rename(id: number, name: string, actor: Actor, now: Moment): TabletRecord;
  /** From now on the tablet is a stranger. */
  remove(id: number, actor: Actor, now: Moment): void;
  /** The tablet behind a token, else null. */
  find(token: string, now: Moment): FoundTablet | null;
  /** Leave for somebody whose PIN was right to act on a tablet; an older one of that tablet ends. */
  startPinUnlock(
    tabletId: number,
    user: User,
    now: Moment,
  ): { readonly token: string; readonly seconds: number };
  /** In whose name that leave lets the tablet act now; null when it is over or they may not any more. */
  unlockedUser(tabletId: number, token: string, now: Moment): User | null;
  endPinUnlock(tabletId: number): void;
}

export function createTablets(parts: EngineParts): Tablets {
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
        store.tablets.seen(tablet.id, Math.max(0, Math.round(now.wallMs)));
        store.provisionalTimes.note('tablet_seen', tablet.id, now);
      });
      return true;
    } catch {
      // A full disk must not shut out whoever comes to clear it.
      return false;
    }
  };

  return {
    list: (page) => readPage(page, store.tablets.count(), store.tablets.page),

    enrol: (name, actor, now) =>
      change(parts, () => {
        if (actor.userId === null) throw new Error('A tablet is brought in by somebody.');
        if (store.tablets.count() >= maxTablets) {
          throw new AppError('conflict', `There are ${maxTablets} tablets already: take one out first.`);
        }
        const token = randomBytes(32).toString('base64url');
        const ms = Math.max(0, Math.round(now.wallMs));
        const id = store.tablets.add({
          name: validateName(name),
          hash: hashToken(token),
          userId: actor.userId,
          ms,
        });
        for (const kind of ['tablet_enrolled', 'tablet_seen'] as const)
          store.provisionalTimes.note(kind, id, now);
        const tablet = store.tablets.byId(id)!;
        note('tablet.enrolled', tablet, actor, now);
        return { tablet, token };
      }),

    rename: (id, name, actor, now) =>
      change(parts, () => {
        const before = requireFound(store.tablets.byId(id), 'such tablet');
        store.tablets.rename(id, validateName(name));
        const tablet = store.tablets.byId(id)!;
        if (tablet.name !== before.name) note('tablet.renamed', tablet, actor, now);
        return tablet;
      }),

    remove: (id, actor, now) =>
      change(parts, () => {
        const tablet = requireFound(store.tablets.byId(id), 'such tablet');
        store.tablets.remove(id);
        for (const kind of ['tablet_enrolled', 'tablet_seen'] as const)
          store.provisionalTimes.clear(kind, id);
        pinUnlocks.end(id);
        note('tablet.removed', tablet, actor, now);
      }),

    find(token, now) {
      if (!isTokenFormat(token)) return null;
      const tablet = store.tablets.byHash(hashToken(token));
      return tablet && { id: tablet.id, name: tablet.name, extended: extend(tablet, now) };
    },

    startPinUnlock: (tabletId, user, now) =>
      pinUnlocks.open(tabletId, { userId: user.id, pinHash: store.pins.of(user.id)?.hash ?? '' }, now),

    unlockedUser(tabletId, token, now) {
      const unlock = pinUnlocks.find(tabletId, token, now);
      if (unlock === null) return null;
      const user = store.users.byId(unlock.userId);
      const isStaff = user?.isActive === true && (user.isStaff || user.isSuperuser);
      // A PIN that was changed, or taken away, has given no leave.
      return isStaff && store.pins.of(user.id)?.hash === unlock.pinHash ? user : null;
    },

    endPinUnlock: (tabletId) => pinUnlocks.end(tabletId),
  };
}

/** One hash is enough for 256 random bits: nobody guesses those by trying. */
const hashToken = (token: string): Buffer => createHash('sha256').update(`${format}:${token}`).digest();

const validateName = (name: string): string => validateText('name', name, { max: 64 });
