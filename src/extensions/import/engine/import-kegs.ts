import { isImplausible } from '../../../core/files/times.ts';
import type { Keg, KegSize } from '../../../core/records.ts';
import { validateNewKeg } from '../../../engine/kegs/new-keg.ts';
import { validationError } from '../../../engine/shared/bounds.ts';
import { hashOf } from '../../../engine/shared/files/row-hash.ts';
import { queueSpill } from '../../../engine/shared/queue-news.ts';
import type { ImportRecord } from '../store/imports-table.ts';
import type { createBeverageImport } from './import-beverages.ts';
import { createPlannedIds, type ImportContext, type ImportOutcome, toNameKey } from './import-context.ts';
import type { ImportedKeg } from './imported-records.ts';

/** A keg whose volume differs less than this from that of a size has the size, mL: as another program's import does. */
const sizeToleranceMl = 100;

/** Imports kegs. They are on no tap; what was spilled becomes a spill. */
export function createKegImport(
  { store, tables, now, sourceId, isDryRun }: ImportContext,
  beverages: ReturnType<typeof createBeverageImport>,
) {
  const nextPlannedId = createPlannedIds();
  const planned = new Map<string, number>();

  const remember = (key: string, record: ImportRecord): void => {
    if (isDryRun) planned.set(key, record.localId);
    else tables.put(sourceId!, 'keg', key, record);
  };

  const addSpill = (
    kegId: number,
    key: string,
    [before, after]: readonly [number, number],
    timeMs: number,
  ): void => {
    if (after <= before) return;
    const pourId = `import.${sourceId}.spill.${hashOf(key, after)}`;
    const volumeMl = after - before;
    store.kegs.addSpilled(kegId, volumeMl);
    queueSpill(
      store,
      store.drinks.spills.add({ tapId: null, kegId, ticks: 0, volumeMl, timeMs, meter: null, pourId }),
    );
  };

  /** A keg on no tap that was finished at the source meanwhile is finished here, and new spills are added. */
  const update = (key: string, keg: ImportedKeg, record: ImportRecord): ImportOutcome => {
    const local = store.kegs.byId(record.localId);
    if (local === null) return { result: 'known' };
    const isFinished = local.state === 'available' && keg.state === 'finished';
    const spilledMl = Math.max(record.spilledMl, keg.spilledVolumeMl);
    if (!isFinished && spilledMl === record.spilledMl) return { result: 'known' };
    if (!isDryRun) {
      const { startedTimeMs, finishedTimeMs } = toTimes(keg, now.wallMs);
      if (isFinished) {
        store.kegs.setState(local.id, {
          state: 'finished',
          startedTimeMs: Math.min(local.startedTimeMs, startedTimeMs),
          finishedTimeMs,
        });
      }
      addSpill(local.id, key, [record.spilledMl, spilledMl], finishedTimeMs ?? startedTimeMs);
      remember(key, { ...record, spilledMl });
    }
    return { result: 'updated' };
  };

  const add = (key: string, keg: ImportedKeg, fingerprint: string): ImportOutcome => {
    const size = chooseSize(store.kegs.sizes(), keg);
    const { fullVolumeMl, ...texts } = keg;
    const inputs = validateNewKeg(size, { ...texts, ...(fullVolumeMl !== null && { fullVolumeMl }) });
    const beverageId = beverages.ofKeg(keg.beverage);
    if (beverageId === null)
      throw validationError('beverage_id', 'must be the id of a beverage that is imported too');
    const spilledMl = keg.spilledVolumeMl;
    if (isDryRun) {
      remember(key, { localId: nextPlannedId(), fingerprint, spilledMl, isCreated: true });
      return newOutcome(keg);
    }
    const { createdTimeMs, startedTimeMs, finishedTimeMs } = toTimes(keg, now.wallMs);
    const localId = store.kegs.add({
      beverageId,
      sizeId: size.id,
      ...inputs,
      timeMs: createdTimeMs,
    });
    const state = finishedTimeMs === null ? 'available' : 'finished';
    store.kegs.setState(localId, { state, startedTimeMs, finishedTimeMs });
    addSpill(localId, key, [0, spilledMl], finishedTimeMs ?? startedTimeMs);
    remember(key, { localId, fingerprint, spilledMl, isCreated: true });
    return newOutcome(keg);
  };

  return {
    add(key: string, keg: ImportedKeg): ImportOutcome {
      const fingerprint = keg.hasLooseKey ? hashOf(beverageName(keg), keg.createdTimeMs) : '';
      if (planned.has(key)) return { result: 'known' };
      const record = sourceId === null ? null : tables.record(sourceId, 'keg', key);
      if (record !== null) {
        if (record.fingerprint === fingerprint) return update(key, keg, record);
        throw validationError(
          'id',
          'belongs to another keg that was imported before: name the files of another site with --source',
        );
      }
      const own = keg.hasLooseKey ? findOwn(key, keg) : null;
      if (own === null) return add(key, keg, fingerprint);
      remember(key, { localId: own.id, fingerprint, spilledMl: keg.spilledVolumeMl, isCreated: false });
      return { result: 'matched' };
    },

    /** The keg here; null when it was deleted here, undefined for an unknown key. */
    idOf(key: string): number | null | undefined {
      const id =
        planned.get(key) ?? (sourceId === null ? undefined : tables.record(sourceId, 'keg', key)?.localId);
      if (id === undefined || id < 0) return id;
      return store.kegs.byId(id) === null ? null : id;
    },
  };

  /** The keg that this row was exported from, when a file is imported where it was made. */
  function findOwn(key: string, keg: ImportedKeg): Keg | null {
    if (!/^[1-9]\d{0,14}$/.test(key) || keg.createdTimeMs === null || 'key' in keg.beverage) return null;
    const local = store.kegs.byId(Number(key));
    if (local === null || toSeconds(local.createdTimeMs) !== toSeconds(keg.createdTimeMs)) return null;
    const beverage = store.kegs.beverages.byId(local.beverageId);
    const { name, producerName } = keg.beverage;
    const isSame =
      toNameKey(beverage?.name ?? '') === toNameKey(name) &&
      toNameKey(beverage?.producer.name ?? '') === toNameKey(producerName);
    return isSame ? local : null;
  }
}

const toSeconds = (ms: number): number => Math.floor(ms / 1_000);

const beverageName = ({ beverage }: ImportedKeg): readonly string[] =>
  'key' in beverage ? [beverage.key] : [toNameKey(beverage.name), toNameKey(beverage.producerName)];

/** The times of a keg as far as they are known; a finished one without an end ended when it was started, until its drinks show more. */
function toTimes(keg: ImportedKeg, nowMs: number) {
  const [started, created, finished] = timesOf(keg).map((ms) =>
    ms === null || isImplausible(ms, null) ? null : ms,
  );
  const known = started ?? created ?? finished ?? Math.max(0, Math.round(nowMs));
  const createdTimeMs = created ?? known;
  const finishedTimeMs = keg.state === 'finished' ? Math.max(finished ?? known, known) : null;
  return { createdTimeMs, startedTimeMs: known, finishedTimeMs };
}

const timesOf = ({ startedTimeMs, createdTimeMs, finishedTimeMs }: ImportedKeg) =>
  [startedTimeMs, createdTimeMs, finishedTimeMs] as const;

/** A new keg; times of a clock that was not set are told. */
const newOutcome = (keg: ImportedKeg): ImportOutcome => ({
  result: 'new',
  ...(timesOf(keg).some((ms) => ms !== null && isImplausible(ms, null)) && {
    note: 'its times before 2000 are those of a clock that was not set, and are left out',
  }),
});

/** The size of that key or name, else the one of the volume, else `other`. */
function chooseSize(sizes: readonly KegSize[], { size, fullVolumeMl }: ImportedKeg): KegSize {
  const other = sizes.find(({ key }) => key === 'other')!;
  if (size !== null) {
    const wanted = toNameKey(size);
    const found = sizes.find(({ key, name }) => [key, toNameKey(name)].includes(wanted));
    if (found !== undefined) return found;
    if (fullVolumeMl === null)
      throw validationError('size', `must be one of ${sizes.map(({ key }) => key).join(', ')}`);
  }
  if (fullVolumeMl === null) throw validationError('full_volume_ml', 'is needed for a keg without a size');
  return sizes.find(({ volumeMl }) => Math.abs(volumeMl - fullVolumeMl) <= sizeToleranceMl) ?? other;
}
