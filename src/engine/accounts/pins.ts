import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/moment.ts';
import { type PinFault, pinFault, pinLength, wrongBeforeLock } from '../../core/pin-rules.ts';
import type { Rule } from '../../core/reasons.ts';
import type { User } from '../../core/records.ts';
import { type Actor, systemActor, writeAudit } from '../audit.ts';
import { validationError } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';
import { PinPace } from './pin-pace.ts';
import { type HashedPassword, hashPassword, passwordMatches, standInHash } from './secrets.ts';
import type { Tablet } from './tablets.ts';

/** What somebody may know of their own PIN. */
export interface PinState {
  readonly isSet: boolean;
  /** True after too many wrong ones, until they log in by password. */
  readonly isLocked: boolean;
}

/** Short numbers by which staff say on a shared tablet who they are. They open nothing anywhere else. */
export interface Pins {
  of(user: User): PinState;
  /** Hashes a PIN of 4 to 8 digits that is not easily guessed; `invalid_request` for others. */
  hash(pin: string): Promise<HashedPassword>;
  set(user: User, pin: HashedPassword, actor: Actor, now: Moment): void;
  remove(user: User, actor: Actor, now: Moment): void;
  /** The active staff who have one, by their names. */
  owners(): readonly User[];
  /**
   * Whose PIN it is, typed on that tablet, and how many wrong ones came before it. Rejects with `invalid_request` for a
   * wrong one, `too_many` while tablet or account pause, `not_allowed` once only a password helps; the work is the same
   * whether there is such an account or not.
   */
  check(
    tablet: Tablet,
    typed: { readonly username: string; readonly pin: string },
    now: Moment,
  ): Promise<{ readonly user: User; readonly wrongBefore: number }>;
}

export function createPins(parts: EngineParts): Pins {
  const { store } = parts;
  const tablets = new PinPace();
  const accounts = new PinPace();

  /** The account, while it may confirm anything, and what is kept of its PIN. */
  const owner = (username: string) => {
    const user = store.users.byName(username);
    const mayConfirm = user?.isActive === true && (user.isStaff || user.isSuperuser);
    const stored = mayConfirm ? store.pins.of(user.id) : null;
    return mayConfirm && stored !== null ? { user, stored } : null;
  };

  const count = (user: User, wrong: number, tablet: Tablet, now: Moment) =>
    store.transaction(() => {
      store.pins.setWrong(user.id, wrong);
      if (wrong !== wrongBeforeLock) return;
      const subject = { kind: 'user', id: user.username };
      writeAudit(
        store,
        { actor: systemActor, action: 'user.pin_locked', subject, after: { tablet: tablet.name } },
        now,
      );
    });

  return {
    of(user) {
      const stored = store.pins.of(user.id);
      return { isSet: stored !== null, isLocked: stored !== null && stored.wrong >= wrongBeforeLock };
    },

    async hash(pin) {
      const fault = pinFault(pin);
      if (fault !== null) throw validationError('pin', pinFaults[fault], pinRule(fault));
      return hashPassword(pin);
    },

    set: (user, pin, actor, now) =>
      change(parts, () => {
        store.pins.put(user.id, pin);
        accounts.right(user.id);
        writeAudit(
          store,
          { actor, action: 'user.pin_set', subject: { kind: 'user', id: user.username } },
          now,
        );
      }),

    remove: (user, actor, now) =>
      change(parts, () => {
        if (!store.pins.remove(user.id)) return;
        const subject = { kind: 'user', id: user.username };
        writeAudit(store, { actor, action: 'user.pin_removed', subject }, now);
      }),

    owners: () => store.pins.owners().map((id) => store.users.byId(id)!),

    async check(tablet, { username, pin }, now) {
      const known = owner(username);
      // A log-in by password, or a new PIN, has forgiven what was wrong.
      if (known?.stored.wrong === 0) accounts.right(known.user.id);
      const waitMs = Math.max(
        tablets.waitMs(tablet.id, now),
        known === null ? 0 : accounts.waitMs(known.user.id, now),
      );
      if (waitMs > 0) throw paused(waitMs);
      const wrongBefore = known?.stored.wrong ?? 0;
      if (wrongBefore >= wrongBeforeLock) throw locked();
      tablets.wrong(tablet.id, now);
      if (known !== null) {
        accounts.wrong(known.user.id, now);
        count(known.user, wrongBefore + 1, tablet, now);
      }
      const given = pin.length <= pinLength.most ? pin : '';
      const matches = await passwordMatches(given, known?.stored.hash ?? standInHash);
      // Read only now: while we reckoned, the account may have been switched off or its PIN changed.
      const still = owner(username);
      if (!matches || known === null || still?.stored.hash !== known.stored.hash) throw wrong();
      store.transaction(() => store.pins.setWrong(known.user.id, 0));
      tablets.right(tablet.id);
      accounts.right(known.user.id);
      return { user: still.user, wrongBefore };
    },
  };
}

const pinFaults: Readonly<Record<PinFault, string>> = {
  'not digits': `must be ${pinLength.least} to ${pinLength.most} digits`,
  'all the same': 'must not be one digit again and again: it is guessed first',
  'in a row': 'must not be digits in a row: it is guessed first',
  repeated: 'must not repeat itself: it is guessed first',
  'a year': 'must not be a year: it is guessed first',
  'well known': 'must not be one that many people choose: it is guessed first',
};

const pinRule = (fault: PinFault): Rule =>
  fault === 'not digits' ? { name: 'digits_from_to', ...pinLength } : { name: 'guessed_first' };

function paused(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1_000);
  const wait =
    seconds < 100 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;
  return new AppError('too_many', `Too many wrong PINs. Try again in ${wait}.`, {
    reason: { name: 'pin_paused', seconds },
    retryAfterS: seconds,
  });
}

const locked = () =>
  new AppError(
    'not_allowed',
    'Too many wrong PINs were typed for this name. Log in with the password once, then the PIN works again.',
    { reason: { name: 'pin_locked' } },
  );

const wrong = () =>
  new AppError('invalid_request', 'This name and this PIN do not belong together.', {
    reason: { name: 'wrong_pin' },
    fields: { pin: 'is not the PIN of this name' },
    rules: { pin: { name: 'not_yours', what: 'pin' } },
  });
