import { createHash } from 'node:crypto';
import { AppError } from '../../../../core/app-error.ts';
import type { Moment } from '../../../../core/clock/moment.ts';
import { isGuestName } from '../../../../core/users/username-rules.ts';
import type { Imports } from '../../engine/imports.ts';
import type { ImportStaging, StagedRecord } from '../../store/import-staging.ts';
import type { ImportReport } from '../import-report.ts';
import { isObject, type JsonObject } from './remote-api.ts';
import {
  beverageOf,
  checkLeniently,
  dropBeverageField,
  keyOf,
  toBeverage,
  toDrink,
  toKeg,
  toUser,
} from './remote-records.ts';

type Kind = StagedRecord['kind'];

/** Where a record that cannot be staged is remembered. */
interface Place {
  readonly kind: Kind;
  readonly key: string;
  /** Names it for people. */
  readonly place: string;
}

/**
 * Checks and stages the records of another server, whether they come from its API, its backup or its database. A record
 * that cannot be staged becomes a finding of the staging file, so that it is told also when the file is used again.
 */
export function createRecordStager({
  imports,
  now,
  staging,
  isReadOnce = false,
}: {
  readonly imports: Imports;
  readonly now: Moment;
  readonly staging: ImportStaging;
  /** Whether each record comes once, so that a second one of the same id is another row, which is left out. */
  readonly isReadOnce?: boolean;
}) {
  let repeated = 0;
  const { check } = imports;

  /** Runs a check; a refused record becomes a finding. */
  const tryCheck = <T>(place: Place, run: () => T): T | null => {
    try {
      return run();
    } catch (fault) {
      if (!(fault instanceof AppError) || fault.code !== 'invalid_request') throw fault;
      const [column, message] = Object.entries(fault.fields ?? {})[0] ?? [null, fault.message];
      staging.addFinding({ ...place, column, message, isFault: true });
      return null;
    }
  };
  const leaveOut = (place: Place, message: string): void =>
    staging.addFinding({ ...place, column: null, message, isFault: false });
  /** The key of a record; one without an id becomes a finding. */
  const requireKey = (kind: Kind, json: JsonObject): string | null => {
    const key = keyOf(json);
    if (key !== null) return key;
    const hash = createHash('sha256').update(JSON.stringify(json)).digest('base64url').slice(0, 22);
    const place = { kind, key: `?${hash}`, place: `${kind} without an id` };
    staging.addFinding({ ...place, column: 'id', message: 'must be there', isFault: true });
    return null;
  };

  const beverage = (json: JsonObject): string | null => {
    const key = requireKey('beverage', json);
    if (key === null) return null;
    const checked = tryCheck({ kind: 'beverage', key, place: `beverage ${key}` }, () =>
      checkLeniently(toBeverage(json), check.beverage, dropBeverageField),
    );
    if (checked === null) return null;
    staging.replace({ kind: 'beverage', key, order: Number(key) || 0, line: 0, data: checked });
    return key;
  };

  return {
    /** Stages an account; true for one of the staff there. */
    user(json: JsonObject): boolean {
      const user = toUser(json);
      if (user === null) {
        const key = keyOf(json) ?? JSON.stringify(json).slice(0, 64);
        const message = 'must be there';
        staging.addFinding({
          kind: 'user',
          key: `?${key}`,
          place: `account ${key}`,
          column: 'username',
          message,
          isFault: true,
        });
        return false;
      }
      const place: Place = { kind: 'user', key: user.username, place: `user “${user.username}”` };
      if (isGuestName(user.username)) {
        leaveOut(place, 'for pours of guests, which belong to nobody here');
        return false;
      }
      const drop = (one: typeof user, field: string) =>
        field === 'email' && one.email !== '' ? { ...one, email: '' } : null;
      const checked = tryCheck(place, () => checkLeniently(user, check.user, drop));
      if (checked === null) return false;
      staging.replace({ kind: 'user', key: user.username, order: 0, line: 0, data: checked });
      return json.is_staff === true || json.is_superuser === true;
    },

    beverage,

    /** Stages a keg, with the beverage that it contains or whose key it has. */
    keg(json: JsonObject, { beverageKey, size }: { beverageKey: string; size: JsonObject | null }): void {
      const key = requireKey('keg', json);
      if (key === null) return;
      const checked = tryCheck({ kind: 'keg', key, place: `keg ${key}` }, () =>
        check.keg(toKeg(json, beverageKey, size), now),
      );
      if (checked !== null) {
        staging.replace({ kind: 'keg', key, order: Number(key) || 0, line: 0, data: checked });
      }
    },

    /** Stages a drink, and its account if that is not staged yet. Returns its time; null when it is not staged. */
    drink(json: JsonObject): number | null {
      const key = requireKey('drink', json);
      if (key === null) return null;
      const place: Place = { kind: 'drink', key, place: `drink ${key}` };
      if (json.is_valid === false) {
        leaveOut(place, 'held for review there');
        return null;
      }
      const drink = tryCheck(place, () => check.drink(toDrink(json), now));
      if (drink === null) return null;
      const isAdded = staging.add({ kind: 'drink', key, order: drink.pourTimeMs, line: 0, data: drink });
      if (!isAdded && isReadOnce) {
        repeated += 1;
        leaveOut({ ...place, key: `${key} again ${repeated}` }, 'with the id of another row before it');
      }
      if (drink.username !== null && !isGuestName(drink.username)) {
        const user = (isObject(json.user) ? toUser(json.user) : null) ?? {
          username: drink.username,
          displayName: '',
          email: '',
          isActive: true,
          joinedTimeMs: null,
        };
        staging.add({
          kind: 'user',
          key: drink.username,
          order: 1,
          line: 0,
          data: { ...user, username: drink.username, email: '' },
        });
      }
      return drink.pourTimeMs;
    },

    /** The key of the beverage within a keg, which is staged too; null without one. */
    beverageOf(json: JsonObject): string | null {
      const found = beverageOf(json);
      return found === null ? null : beverage(found);
    },
  };
}

export type RecordStager = ReturnType<typeof createRecordStager>;

/** Puts what could not be staged into the report. */
export function reportFindings(staging: ImportStaging, report: ImportReport): void {
  for (const { kind, place, column, message, isFault } of staging.findings()) {
    if (isFault) report.addBad({ place, column, message });
    else report.addLeftOut(kind, message);
  }
}

/** The lowest id of a drink that is not staged; infinite without one. One without an id may be anywhere in the list: 1. */
export function lowestUnstagedDrink(staging: ImportStaging): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { kind, key } of staging.findings()) {
    const id = Number(key);
    if (kind === 'drink') lowest = Math.min(lowest, Number.isSafeInteger(id) ? id : 1);
  }
  return lowest;
}

/** Says how many accounts have rights there. */
export function noteStaff(report: ImportReport, staffCount: number): void {
  if (staffCount > 0) {
    report.addNote(`${staffCount} of the accounts are staff there. Rights are not imported: give them here.`);
  }
}
