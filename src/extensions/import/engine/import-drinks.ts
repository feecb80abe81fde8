import { isImplausible } from '../../../core/files/times.ts';
import type { Drink, Spill } from '../../../core/records.ts';
import { findRecordedPour, findReportedDrink } from '../../../engine/drinks/reported/recorded-pours.ts';
import { assignSession } from '../../../engine/drinks/sessions/assign-session.ts';
import { findPlacement } from '../../../engine/kegs/placement/keg-spans.ts';
import { kegIdsOf, recomputeKeg } from '../../../engine/kegs/placement/place-drinks.ts';
import { validationError } from '../../../engine/shared/bounds.ts';
import { hashOf } from '../../../engine/shared/files/row-hash.ts';
import type { ImportContext, ImportOutcome } from './import-context.ts';
import type { createKegImport } from './import-kegs.ts';
import type { createUserImport } from './import-users.ts';
import type { ImportedDrink } from './imported-records.ts';

/** Longest key that is part of a pour id as it is. */
const maxKeyLength = 32;

/** What is allowed for the drinks of a source. */
interface DrinkRules {
  /** Whether they may have been exported from this database. */
  readonly mayBeOwn: boolean;
  /** Whether a keg that is named and unknown is a fault; else the drink is imported without a keg. */
  readonly needsKeg: boolean;
}

/** The pour id of a drink of a source, by which it is recognized, also after it was cancelled here. */
export const toImportPourId = (sourceId: number, key: string): string =>
  `import.${sourceId}.${/^[\w.-]+$/.test(key) && key.length <= maxKeyLength ? key : hashOf(key)}`;

/**
 * Imports drinks as history: no events, so that nobody is notified, and no upstream report. Given in the order of their
 * times they get the sessions that they would have got here.
 */
export function createDrinkImport(
  { store, sourceId, isDryRun }: ImportContext,
  {
    users,
    kegs,
  }: {
    readonly users: ReturnType<typeof createUserImport>;
    readonly kegs: ReturnType<typeof createKegImport>;
  },
) {
  const findKnown = (pourId: string): { readonly pourTimeMs: number } | null =>
    findRecordedPour(store, pourId) ?? toKnown(store.drinks.spills.byPourId(pourId));

  /** A pour that was recorded here under an id of its own, by our own meters or reported by anybody. */
  const findOriginal = (pourId: string, { pourTimeMs }: ImportedDrink) => {
    const reported = store.drinks.reportedPours
      .byAnyId(pourId)
      .flatMap(
        (row) =>
          findReportedDrink(store, row) ??
          toKnown(row.spillId === null ? null : store.drinks.spills.byId(row.spillId)) ??
          [],
      );
    return (
      reported.find((known) => isSameTime(known.pourTimeMs, pourTimeMs)) ?? reported[0] ?? findKnown(pourId)
    );
  };

  return {
    add(key: string, drink: ImportedDrink, { mayBeOwn, needsKeg }: DrinkRules): ImportOutcome {
      const pourId = sourceId === null ? null : toImportPourId(sourceId, key);
      // A pour id of its own only tells whether the pour is here already.
      const known =
        (pourId === null ? null : findKnown(pourId)) ??
        (drink.pourId === null ? null : findOriginal(drink.pourId, drink)) ??
        (mayBeOwn ? findOwn(key, drink) : null);
      if (known !== null) {
        if (isSameTime(known.pourTimeMs, drink.pourTimeMs) || !mayBeOwn) return { result: 'known' };
        throw validationError(
          'id',
          'belongs to another drink that was imported before: name the files of another site with --source',
        );
      }
      const kegId = drink.kegKey === null ? null : kegs.idOf(drink.kegKey);
      if (kegId === undefined && needsKeg) {
        throw validationError(
          'keg_id',
          'must be the id of a keg that is imported with it or was imported before',
        );
      }
      const isCredible = !isImplausible(drink.pourTimeMs, null);
      const placement = placeDrink(drink, { kegId: kegId ?? null, isCredible });
      const outcome: ImportOutcome = {
        result: 'new',
        ...(isCredible
          ? {}
          : { note: 'its time is that of a clock that was not set, and is marked as uncertain' }),
        ...(drink.kegKey === null || typeof kegId === 'number' ? {} : { missingKeg: drink.kegKey }),
      };
      if (isDryRun) return outcome;
      const { pourTimeMs, volumeMl, durationMs, ticks, shout } = drink;
      const timeCertain = drink.timeCertain && isCredible;
      const { sessionId } = assignSession(store, { timeMs: pourTimeMs, volumeMl });
      store.drinks.add(
        {
          tapId: placement.tapId,
          kegId: placement.kegId,
          parts: placement.parts,
          isKegAssigned: placement.isKegAssigned,
          ...users.ownerOf(drink.username),
          authToken: null,
          ticks,
          volumeMl,
          // Without a meter no calibration applies to it.
          volumeGiven: true,
          pourTimeMs,
          timeCertain,
          bootId: '',
          endMonoMs: 0,
          durationMs,
          heldReason: null,
          isSetAside: false,
          pourId,
          meter: null,
          ticksLost: null,
          rejectedEdges: 0,
          series: null,
          gasTicks: 0,
          foamTicks: 0,
          gasOnsetMs: null,
          rateDefault: null,
          shout,
          recovered: false,
          flowWhileShut: false,
          source: 'import',
        },
        sessionId,
      );
      if (placement.tapId !== null) for (const id of kegIdsOf(placement)) recomputeKeg(store, id);
      return outcome;
    },
  };

  /** A drink of history is of the keg that the source names; one of a tap here is of the keg that was on it, as any late report. */
  function placeDrink(
    { tapName, pourTimeMs, volumeMl, durationMs, ticks }: ImportedDrink,
    { kegId, isCredible }: { readonly kegId: number | null; readonly isCredible: boolean },
  ) {
    if (tapName === null) return { tapId: null, kegId, parts: null, isKegAssigned: true };
    const name = tapName.toLowerCase();
    const tap = store.taps.all().find((one) => one.name.toLowerCase() === name);
    if (tap === undefined) throw validationError('tap', 'must be the name of a tap');
    const tapId = tap.id;
    if (!isCredible) return { tapId, kegId: null, parts: null, isKegAssigned: true };
    const poured = { tapId, ticks, volumeMl, durationMs, series: null, gasTicks: 0, foamTicks: 0 };
    return { tapId, ...findPlacement(store, poured, { wallMs: pourTimeMs, bootId: '', monoMs: 0 }) };
  }

  /** The drink that this row was exported from, when a file is imported where it was made. */
  function findOwn(key: string, { pourTimeMs, ticks, volumeMl }: ImportedDrink): Drink | null {
    const local = /^[1-9]\d{0,14}$/.test(key) ? store.drinks.byId(Number(key)) : null;
    if (local === null) return null;
    const isSame =
      Math.floor(local.pourTimeMs / 1_000) === Math.floor(pourTimeMs / 1_000) &&
      local.ticks === ticks &&
      Math.abs(local.volumeMl - volumeMl) < 0.01;
    return isSame ? local : null;
  }
}

const toKnown = (spill: Spill | null) => spill && { pourTimeMs: spill.timeMs };

const isSameTime = (oneMs: number, otherMs: number): boolean => Math.abs(oneMs - otherMs) < 1_000;
