import { beverageFields } from '../../../core/kegs/records/beverage-record.ts';
import { producerFields } from '../../../core/kegs/records/producer-record.ts';
import { validateNew } from '../../../engine/shared/bounds.ts';
import { newestRows, type Slice } from '../../../store/shared/slice.ts';
import { createPlannedIds, type ImportContext, type ImportOutcome, toNameKey } from './import-context.ts';
import type { ImportedBeverage, ImportedKeg } from './imported-records.ts';

/** Beverages and producers read at once. */
const pageSize = 1_000;

/** Imports producers and beverages; those of the same names here are the same. */
export function createBeverageImport({ store, tables, sourceId, isDryRun }: ImportContext) {
  const nextPlannedId = createPlannedIds();
  const planned = new Map<string, number>();
  const producerIds = new Map<string, number>();
  const beverageIds = new Map<string, number>();
  const toBeverageKey = (name: string, producer: string) => `${toNameKey(producer)}\n${toNameKey(name)}`;
  readAll(
    (slice) => store.kegs.producers.page(slice),
    ({ id, name }) => producerIds.set(toNameKey(name), id),
  );
  readAll(
    (slice) => store.kegs.beverages.page(slice),
    ({ id, name, producer }) => beverageIds.set(toBeverageKey(name, producer.name), id),
  );

  const remember = (key: string, localId: number, isCreated: boolean): void => {
    if (isDryRun) planned.set(key, localId);
    else tables.put(sourceId!, 'beverage', key, { localId, fingerprint: '', spilledMl: 0, isCreated });
  };
  const findByKey = (key: string): number | null => {
    const id =
      planned.get(key) ?? (sourceId === null ? undefined : tables.record(sourceId, 'beverage', key)?.localId);
    return id !== undefined && exists(id) ? id : null;
  };
  const exists = (id: number): boolean => id < 0 || store.kegs.beverages.byId(id) !== null;

  const findOrAddProducer = (producer: ImportedBeverage['producer']): number => {
    const key = toNameKey(producer.name);
    const known = producerIds.get(key);
    if (known !== undefined && (known < 0 || store.kegs.producers.byId(known) !== null)) return known;
    const id = isDryRun ? nextPlannedId() : store.kegs.producers.add(validateNew(producerFields, producer));
    producerIds.set(key, id);
    return id;
  };
  const findOrAdd = ({ producer, ...fields }: ImportedBeverage) => {
    const key = toBeverageKey(fields.name, producer.name);
    const known = beverageIds.get(key);
    if (known !== undefined && exists(known)) return { id: known, isNew: false };
    const producerId = findOrAddProducer(producer);
    const id = isDryRun
      ? nextPlannedId()
      : store.kegs.beverages.add(validateNew(beverageFields, { ...fields, producerId }));
    beverageIds.set(key, id);
    return { id, isNew: true };
  };

  return {
    add(key: string, beverage: ImportedBeverage): ImportOutcome {
      if (findByKey(key) !== null) return { result: 'known' };
      const { id, isNew } = findOrAdd(beverage);
      remember(key, id, isNew);
      return { result: isNew ? 'new' : 'matched' };
    },
    /** The beverage of a keg; one known by its names only is created. Null for an unknown key. */
    ofKeg(beverage: ImportedKeg['beverage']): number | null {
      if ('key' in beverage) return findByKey(beverage.key);
      return findOrAdd({ name: beverage.name, producer: { name: beverage.producerName } }).id;
    },
  };
}

/** Reads a list of descending ids; the first of several equal names wins, being read last. */
function readAll<T extends { readonly id: number }>(
  page: (slice: Slice) => readonly T[],
  visit: (item: T) => void,
): void {
  let slice = newestRows(pageSize);
  for (;;) {
    const items = page(slice);
    items.forEach(visit);
    if (items.length < pageSize) return;
    slice = { ...slice, from: { id: items.at(-1)!.id - 1 } };
  }
}
