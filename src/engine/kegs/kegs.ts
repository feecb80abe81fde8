import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { defaultKegSizeKey } from '../../core/kegs/keg-volume.ts';
import type { Beverage, Keg, KegSize, KegState, Spill } from '../../core/records.ts';
import { type ActorContext, auditedChange, toActorContext } from '../shared/actor-context.ts';
import type { Actor } from '../shared/audit.ts';
import { maxVolumeMl, requireFound, validateNumber } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { type KegFields, validateKegChange } from './keg-bounds.ts';
import { correctableKegChange, removeKeg } from './keg-corrections.ts';
import { updateKegEvidence } from './keg-evidence.ts';
import {
  findOrCreateBeverage,
  findRequestedSize,
  type NewKeg,
  requireKegSize,
  validateNewKeg,
} from './new-keg.ts';
import { toChangeTime } from './placement/keg-change-time.ts';
import { followCount } from './placement/series.ts';
import { type Corrected, correctableRecordChange } from './record-corrections.ts';
import { formerBeverageRows, kegRows, recordRow } from './record-rows.ts';
import { addSpill, addSpillCorrection } from './spills.ts';
import { attachKeg, connectKeg, disconnectKeg, endKeg, type KegEnd, toStoredTime } from './tap-kegs.ts';

interface ChangedAt {
  /** When the keg was changed, Unix milliseconds; default: now. What flowed since is moved to the right keg. */
  readonly changedAtMs?: number | undefined;
}

export function createKegs(parts: EngineParts) {
  const { store } = parts;
  const keg = (id: number): Keg => requireFound(store.kegs.byId(id), `keg ${id}`);

  const entry = (action: string, id: number) => ({ action, kind: 'keg', id, snapshot: store.kegs.byId });
  /** A change of state, which can be undone; without `kegId` the change creates the keg or finds it. */
  const changeState = (
    change: {
      readonly action: string;
      readonly kegId?: number | null;
      readonly changedAtMs?: number | undefined;
    },
    context: ActorContext | undefined,
    work: () => Keg,
  ): Keg => correctableKegChange(parts, context, { kegId: null, ...change }, work);

  const create = (newKeg: NewKeg, now: Moment): Keg => {
    const size = findRequestedSize(store, newKeg) ?? requireKegSize(store, defaultKegSizeKey);
    const id = store.kegs.add({
      beverageId: findOrCreateBeverage(store, newKeg.beverage).id,
      sizeId: size.id,
      ...validateNewKeg(size, newKeg),
      timeMs: toStoredTime(store, now),
    });
    store.provisionalTimes.note('keg_created', id, now);
    store.provisionalTimes.note('keg_started', id, now);
    return keg(id);
  };

  const attach = (
    tapId: number,
    kegId: number,
    now: Moment,
    actor?: Actor,
    { changedAtMs }: ChangedAt = {},
  ): Keg =>
    changeState({ action: 'keg.tapped', kegId, changedAtMs }, toActorContext(actor, now), () =>
      attachKeg(store, tapId, kegId, toChangeTime(store, tapId, changedAtMs, now)),
    );
  const connect = (
    tapId: number,
    kegId: number,
    now: Moment,
    actor?: Actor,
    { changedAtMs }: ChangedAt = {},
  ): Keg =>
    changeState({ action: 'keg.connected', kegId, changedAtMs }, toActorContext(actor, now), () =>
      connectKeg(store, tapId, kegId, toChangeTime(store, tapId, changedAtMs, now)),
    );

  const endOnTap = (
    tapId: number,
    now: Moment,
    actor?: Actor,
    { changedAtMs, ...kegEnd }: ChangedAt & KegEnd = {},
  ): Keg => {
    const { name, kegId } = requireFound(store.taps.byId(tapId), `tap ${tapId}`);
    return changeState({ action: 'keg.ended', kegId, changedAtMs }, toActorContext(actor, now), () => {
      if (kegId === null)
        throw new AppError('conflict', `There is no keg on tap “${name}” to end.`, {
          reason: { name: 'tap_is_empty', tap: name },
        });
      return endKeg(store, kegId, toChangeTime(store, tapId, changedAtMs, now), kegEnd);
    });
  };

  /** Without a time, or with one in the future, it is a spill of now. */
  const spillAt = (
    kegId: number,
    { volumeMl, timeMs: givenMs }: { readonly volumeMl: number; readonly timeMs?: number },
    now: Moment,
    actor?: Actor,
  ): Keg => {
    const ml = validateNumber('volume_ml', volumeMl, { min: 0, max: maxVolumeMl });
    const timeMs = givenMs === undefined || givenMs >= now.wallMs ? undefined : givenMs;
    let spill: Spill | undefined;
    const logged = (entryId: number) => addSpillCorrection(parts, entryId, spill!);
    return auditedChange(
      parts,
      toActorContext(actor, now),
      { ...entry('keg.spilled', kegId), logged },
      () => {
        const tapId = store.taps.byKeg(keg(kegId).id)?.id ?? null;
        store.kegs.addSpilled(kegId, ml);
        const added = { tapId, kegId, ticks: 0, volumeMl: ml, meter: null, pourId: null };
        spill = addSpill(store, added, now, timeMs);
        updateKegEvidence(store, kegId);
        followCount(store, kegId, now);
        return keg(kegId);
      },
    );
  };

  return {
    get: (id: number): Keg | null => (Number.isSafeInteger(id) ? store.kegs.byId(id) : null),
    list({ state, ...page }: PageRequest & { readonly state?: KegState }): Page<Keg> {
      if (state !== undefined) {
        return readPage(page, store.kegs.count(state), (slice) => store.kegs.pageByState(state, slice));
      }
      return readPage(page, store.kegs.countAll(), store.kegs.page);
    },
    sizes: (): readonly KegSize[] => store.kegs.sizes(),
    beverage: (id: number): Beverage | null =>
      Number.isSafeInteger(id) ? store.kegs.beverages.byId(id) : null,
    create: (newKeg: NewKeg, now: Moment, actor?: Actor): Keg =>
      auditedChange(
        parts,
        toActorContext(actor, now),
        { ...entry('keg.created', 0), id: ({ id }: Keg) => id },
        () => create(newKeg, now),
      ),

    /** The tap must be empty and the keg available; writes the event keg_tapped once per keg. */
    attach,

    /**
     * Connects a further keg to a tap: an available one behind those on it, or one that is on other taps too. Throws `conflict` when
     * it is on this tap, is finished or has another beverage.
     */
    connect,

    /** Takes a keg off one tap; one without another tap is in stock again, with what is left of it. */
    disconnect: (
      tapId: number,
      kegId: number,
      now: Moment,
      actor?: Actor,
      { changedAtMs }: ChangedAt = {},
    ): Keg =>
      changeState({ action: 'keg.disconnected', kegId, changedAtMs }, toActorContext(actor, now), () =>
        disconnectKeg(store, tapId, kegId, toChangeTime(store, tapId, changedAtMs, now)),
      ),

    /** Creates and attaches a keg. */
    start: (
      tapId: number,
      newKeg: NewKeg,
      now: Moment,
      actor?: Actor,
      { changedAtMs }: ChangedAt = {},
    ): Keg =>
      changeState({ action: 'keg.tapped', changedAtMs }, toActorContext(actor, now), () =>
        attachKeg(store, tapId, create(newKeg, now).id, toChangeTime(store, tapId, changedAtMs, now)),
      ),

    /** Finishes the keg and takes it off its tap; a finished keg stays unchanged. */
    end: (kegId: number, now: Moment): Keg =>
      change(parts, () => endKeg(store, kegId, { at: now, isPast: false })),

    /** Ends the keg on that tap; refused when there is none. A keg that did not run dry is no evidence of its meter. */
    endOnTap,

    /**
     * Ends the keg on that tap, if there is one, and puts the next one in its place, also on its other taps; behind the kegs that
     * followed it. All or nothing.
     */
    attachNext: (tapId: number, nextKegId: number, now: Moment, actor?: Actor, at: ChangedAt = {}): Keg =>
      change(parts, () => {
        const { kegId } = requireFound(store.taps.byId(tapId), `tap ${tapId}`);
        if (kegId === null) return attach(tapId, nextKegId, now, actor, at);
        const taps = store.taps.ofKeg(kegId);
        endOnTap(tapId, now, actor, at);
        for (const { tapId: id } of taps) connect(id, nextKegId, now, actor, at);
        return keg(nextKegId);
      }),

    /** Ends a keg that is not on a tap; refused while it is on one. */
    endOffTap: (kegId: number, now: Moment, actor?: Actor): Keg =>
      changeState({ action: 'keg.ended', kegId }, toActorContext(actor, now), () => {
        const tap = store.taps.byKeg(keg(kegId).id);
        if (tap === null) return endKeg(store, kegId, { at: now, isPast: false });
        throw new AppError('conflict', `Keg ${kegId} is on tap “${tap.name}”: end it there.`, {
          reason: { name: 'keg_on_tap', keg: kegId, tap: tap.name },
        });
      }),

    /** A new size does not change the volume. */
    change: (kegId: number, fields: KegFields, now: Moment, actor?: Actor): Corrected<Keg> =>
      correctableRecordChange(
        parts,
        toActorContext(actor, now),
        entry('keg.changed', kegId),
        () => ({ ...recordRow(store, 'kegs', kegId), ...formerBeverageRows(store, kegId) }),
        () => {
          const current = keg(kegId);
          store.kegs.change(kegId, validateKegChange(store, current, fields, now));
          updateKegEvidence(store, kegId);
          // It was the other beverage all the time, so that its earlier drinks have that one's prices.
          if (keg(kegId).beverageId !== current.beverageId) store.kegs.formerBeverages.removeByKeg(kegId);
          if (fields.startedTimeMs !== undefined) store.provisionalTimes.clear('keg_started', kegId);
          if (fields.finishedTimeMs !== undefined) store.provisionalTimes.clear('keg_finished', kegId);
          return keg(kegId);
        },
      ),

    /** Deletes an unused keg; refused on a tap, or with drinks or spills. */
    remove: (kegId: number, context?: ActorContext): Corrected<void> =>
      correctableRecordChange(
        parts,
        context,
        entry('keg.deleted', kegId),
        () => kegRows(store, kegId),
        () => {
          const { state } = keg(kegId);
          const tap = store.taps.byKeg(kegId);
          if (state === 'on_tap' || tap !== null) {
            throw new AppError('conflict', `Keg ${kegId} is on tap “${tap?.name ?? '?'}”: end it first.`, {
              reason: { name: 'keg_on_tap', keg: kegId, tap: tap?.name ?? '?' },
            });
          }
          const drinks = store.drinks.totals.pours('keg', kegId);
          const spills = store.drinks.spills.countByKeg(kegId);
          if (drinks + spills > 0) throw kegInUseError(kegId, drinks, spills);
          const label = store.pictures.bySubject('keg', kegId);
          if (label !== null && context !== undefined) store.pictures.addCancelled(label.name);
          removeKeg(store, kegId);
        },
      ),

    /** finished → available. */
    reactivate: (kegId: number, context?: ActorContext): Keg =>
      changeState({ action: 'keg.reactivated', kegId }, context, () => {
        const { state, startedTimeMs } = keg(kegId);
        if (state !== 'finished') {
          throw new AppError(
            'conflict',
            `Keg ${kegId} is not finished; only a finished keg can be reactivated.`,
            { reason: { name: 'keg_not_finished', keg: kegId } },
          );
        }
        store.kegs.setState(kegId, { state: 'available', startedTimeMs, finishedTimeMs: null });
        store.provisionalTimes.clear('keg_finished', kegId);
        // Incomplete until it ends again, or until this is undone.
        updateKegEvidence(store, kegId);
        return keg(kegId);
      }),

    /** Records a spill of now. */
    spill: (kegId: number, volumeMl: number, now: Moment, actor?: Actor): Keg =>
      spillAt(kegId, { volumeMl }, now, actor),

    spillAt,
  };
}

/** A keg with drinks or spills cannot be deleted, because its drinks stay. */
function kegInUseError(kegId: number, drinks: number, spills: number): AppError {
  const count = (n: number, what: string) => (n === 0 ? [] : [`${n} ${what}${n === 1 ? '' : 's'}`]);
  const what = [...count(drinks, 'drink'), ...count(spills, 'spill')].join(' and ');
  return new AppError(
    'conflict',
    `${what} came from keg ${kegId}, so it cannot be deleted: finish it instead.`,
    {
      reason: { name: 'keg_has_records', keg: kegId, drinks, spills },
    },
  );
}
