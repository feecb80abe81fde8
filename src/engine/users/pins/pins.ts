import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Rule } from '../../../core/reasons.ts';
import type { User } from '../../../core/records.ts';
import { maxWrongPins, type PinFault, pinFault, pinLength } from '../../../core/users/pin-rules.ts';
import { type Actor, systemActor, writeAudit } from '../../shared/audit.ts';
import { validationError } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { type HashedPassword, hashPassword, makeDummyHash, passwordMatches } from '../secrets.ts';
import type { Tablet } from '../tablets.ts';
import { PinThrottle } from './pin-throttle.ts';

/** What users may know about their own PIN. */
interface PinState {
  readonly isSet: boolean;
  /** True after too many wrong PINs, until a login by password. */
  readonly isLocked: boolean;
}

export type Pins = ReturnType<typeof createPins>;

/** PINs that identify staff on a shared tablet. They are valid nowhere else. */
export function createPins(parts: EngineParts) {
  const { store } = parts;
  const dummyHash = makeDummyHash(parts.settings.passwordLogN);
  const tabletThrottle = new PinThrottle();
  const accountThrottle = new PinThrottle();

  /** The account with its stored PIN, while it may use one. */
  const findOwner = (username: string) => {
    const user = store.users.byName(username);
    const mayConfirm = user?.isActive === true && (user.isStaff || user.isSuperuser);
    const stored = mayConfirm ? store.users.pins.byUser(user.id) : null;
    return mayConfirm && stored !== null ? { user, stored } : null;
  };

  const recordFailures = (user: User, wrong: number, tablet: Tablet, now: Moment) =>
    store.transaction(() => {
      store.users.pins.setWrong(user.id, wrong);
      if (wrong !== maxWrongPins) return;
      const subject = { kind: 'user', id: user.username };
      writeAudit(
        store,
        { actor: systemActor, action: 'user.pin_locked', subject, after: { tablet: tablet.name } },
        now,
      );
    });

  return {
    of(user: User): PinState {
      const stored = store.users.pins.byUser(user.id);
      return { isSet: stored !== null, isLocked: stored !== null && stored.wrong >= maxWrongPins };
    },

    /** Hashes a PIN of 4 to 8 digits that is not easily guessed; `invalid_request` for others. */
    async hash(pin: string): Promise<HashedPassword> {
      const fault = pinFault(pin);
      if (fault !== null) throw validationError('pin', pinFaults[fault].text, pinFaults[fault].rule);
      return hashPassword(pin, parts.settings.passwordLogN);
    },

    set: (user: User, pin: HashedPassword, actor: Actor, now: Moment): void =>
      change(parts, () => {
        store.users.pins.set(user.id, pin);
        accountThrottle.reset(user.id);
        writeAudit(
          store,
          { actor, action: 'user.pin_set', subject: { kind: 'user', id: user.username } },
          now,
        );
      }),

    remove: (user: User, actor: Actor, now: Moment): void =>
      change(
        parts,
        () => {
          if (!store.users.pins.remove(user.id)) return;
          const subject = { kind: 'user', id: user.username };
          writeAudit(store, { actor, action: 'user.pin_removed', subject }, now);
        },
        'removal',
      ),

    /** Active staff with a PIN, by name. */
    owners: (): readonly User[] => store.users.pins.owners().map((id) => store.users.byId(id)!),

    /**
     * The user of a PIN entered on a tablet, and the number of wrong ones before it. Rejects with
     * `invalid_request` for a wrong PIN, `too_many` while tablet or account pause, `not_allowed` when locked
     * until a login by password; does the same work whether the account exists or not.
     */
    async check(
      tablet: Tablet,
      { username, pin }: { readonly username: string; readonly pin: string },
      now: Moment,
    ): Promise<{ readonly user: User; readonly failuresBefore: number }> {
      const account = findOwner(username);
      // A login by password or a new PIN has reset the failures.
      if (account?.stored.wrong === 0) accountThrottle.reset(account.user.id);
      const waitMs = Math.max(
        tabletThrottle.waitMs(tablet.id, now),
        account === null ? 0 : accountThrottle.waitMs(account.user.id, now),
      );
      if (waitMs > 0) throw pausedError(waitMs);
      const failuresBefore = account?.stored.wrong ?? 0;
      if (failuresBefore >= maxWrongPins) throw lockedError();
      tabletThrottle.recordFailure(tablet.id, now);
      if (account !== null) {
        accountThrottle.recordFailure(account.user.id, now);
        recordFailures(account.user, failuresBefore + 1, tablet, now);
      }
      const candidate = pin.length <= pinLength.most ? pin : '';
      const matches = await passwordMatches(candidate, account?.stored.hash ?? dummyHash);
      // Read after hashing: meanwhile the account may have been deactivated or its PIN changed.
      const current = findOwner(username);
      if (!matches || account === null || current?.stored.hash !== account.stored.hash) throw wrongPinError();
      store.transaction(() => store.users.pins.setWrong(account.user.id, 0));
      tabletThrottle.reset(tablet.id);
      accountThrottle.reset(account.user.id);
      return { user: current.user, failuresBefore };
    },
  };
}

const pinFaults: Readonly<Record<PinFault, { readonly text: string; readonly rule: Rule }>> = {
  'not digits': {
    text: `must be ${pinLength.least} to ${pinLength.most} digits`,
    rule: { name: 'digits_from_to', ...pinLength },
  },
  'all the same': {
    text: 'must not repeat one digit: it is easily guessed',
    rule: { name: 'pin_one_digit' },
  },
  'in a row': {
    text: 'must not be consecutive digits: it is easily guessed',
    rule: { name: 'pin_in_a_row' },
  },
  repeated: { text: 'must not repeat a pattern: it is easily guessed', rule: { name: 'pin_repeated' } },
  'a year': { text: 'must not be a year: it is easily guessed', rule: { name: 'pin_year' } },
  'well known': { text: 'must not be a common choice: it is easily guessed', rule: { name: 'pin_common' } },
};

function pausedError(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1_000);
  const wait =
    seconds < 100 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;
  return new AppError('too_many', `Too many wrong PINs. Try again in ${wait}.`, {
    reason: { name: 'pin_paused', seconds },
    retryAfterS: seconds,
  });
}

const lockedError = () =>
  new AppError(
    'not_allowed',
    'Too many wrong PINs were entered for this name. Log in with the password once, then the PIN works again.',
    { reason: { name: 'pin_locked' } },
  );

const wrongPinError = () =>
  new AppError('invalid_request', 'This name and this PIN do not belong together.', {
    reason: { name: 'wrong_pin' },
    fields: { pin: 'is not the PIN of this name' },
    rules: { pin: { name: 'does_not_match', what: 'pin' } },
  });
