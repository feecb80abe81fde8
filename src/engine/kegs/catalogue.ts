import { AppError } from '../../core/app-error.ts';
import {
  type Beverage,
  type BeverageFields,
  beverageFields,
  type NewBeverage,
} from '../../core/kegs/records/beverage-record.ts';
import {
  type NewProducer,
  type Producer,
  type ProducerFields,
  producerFields,
} from '../../core/kegs/records/producer-record.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { requireFound, validateFields, validateNew, validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import { type Corrected, correctableRecordChange } from './record-corrections.ts';
import { beverageRows, pictureRows, producerRows, recordRow } from './record-rows.ts';

/** The catalogue item a picture belongs to. */
interface CatalogueItem {
  readonly kind: 'beverage' | 'producer';
  readonly id: number;
}

/** Most kegs or beverages named in an error message. */
const maxListed = 5;

/** Beverages and producers. An unknown id is `not_found`. */
export function createCatalogue(parts: EngineParts) {
  const { store } = parts;
  const beverage = (id: number): Beverage => requireFound(findBeverage(store, id), `beverage ${id}`);
  const producer = (id: number): Producer => requireFound(findProducer(store, id), `producer ${id}`);
  const entry = (verb: string, kind: CatalogueItem['kind'], id: number) => ({
    action: `${kind}.${verb}`,
    kind,
    id,
    snapshot: (itemId: number) => (kind === 'beverage' ? findBeverage : findProducer)(store, itemId),
  });
  const requireItem = ({ kind, id }: CatalogueItem) => (kind === 'beverage' ? beverage(id) : producer(id));
  const keepPicture = (picture: Beverage['picture'], context: ActorContext | undefined) => {
    if (picture !== null && context !== undefined) store.pictures.addCancelled(picture.name);
  };
  const pictureChange = (
    verb: string,
    item: CatalogueItem,
    context: ActorContext | undefined,
    work: () => void,
  ): Corrected<void> =>
    correctableRecordChange(
      parts,
      context,
      entry(verb, item.kind, item.id),
      () => pictureRows(store, item),
      () => {
        keepPicture(requireItem(item).picture, context);
        work();
      },
    );

  return {
    beverage: (id: number): Beverage | null => findBeverage(store, id),
    producer: (id: number): Producer | null => findProducer(store, id),

    /** Missing fields get their defaults; the default colour is amber. */
    addBeverage: (fields: NewBeverage, context?: ActorContext): Beverage =>
      auditedChange(
        parts,
        context,
        { ...entry('created', 'beverage', 0), id: ({ id }: Beverage) => id },
        () => {
          const validated = validateNew(beverageFields, fields);
          requireProducer(store, validated.producerId);
          return beverage(store.kegs.beverages.add(validated));
        },
      ),
    changeBeverage: (
      id: number,
      fields: Partial<BeverageFields>,
      context?: ActorContext,
    ): Corrected<Beverage> =>
      correctableRecordChange(
        parts,
        context,
        entry('changed', 'beverage', id),
        () => recordRow(store, 'beverages', id),
        () => {
          const { id: _id, producer: maker, picture: _picture, ...current } = beverage(id);
          const changed = validateFields(beverageFields, {
            ...current,
            producerId: maker.id,
            ...fields,
          });
          requireProducer(store, changed.producerId);
          store.kegs.beverages.change(id, changed);
          return beverage(id);
        },
      ),

    /** Refused while a keg has it, even a finished one. */
    removeBeverage: (id: number, context?: ActorContext): Corrected<void> =>
      correctableRecordChange(
        parts,
        context,
        entry('deleted', 'beverage', id),
        () => beverageRows(store, id),
        () => {
          const { name, picture } = beverage(id);
          const kegs = store.kegs.idsByBeverage(id, maxListed + 1);
          if (kegs.length > 0) {
            throw new AppError(
              'conflict',
              `${name} is in ${kegs.length === 1 ? 'keg' : 'kegs'} ${listSome(kegs)}: it cannot be deleted while they exist.`,
              {
                reason: { name: 'beverage_in_kegs', beverage: name, kegs: listSome(kegs, ', …') },
              },
            );
          }
          keepPicture(picture, context);
          store.kegs.beverages.remove(id);
        },
      ),

    addProducer: (fields: NewProducer, context?: ActorContext): Producer =>
      auditedChange(
        parts,
        context,
        { ...entry('created', 'producer', 0), id: ({ id }: Producer) => id },
        () => producer(store.kegs.producers.add(validateNew(producerFields, fields))),
      ),
    changeProducer: (
      id: number,
      fields: Partial<ProducerFields>,
      context?: ActorContext,
    ): Corrected<Producer> =>
      correctableRecordChange(
        parts,
        context,
        entry('changed', 'producer', id),
        () => recordRow(store, 'producers', id),
        () => {
          const { id: _id, picture: _picture, ...current } = producer(id);
          store.kegs.producers.change(id, validateFields(producerFields, { ...current, ...fields }));
          return producer(id);
        },
      ),

    /** Refused while it has beverages. */
    removeProducer: (id: number, context?: ActorContext): Corrected<void> =>
      correctableRecordChange(
        parts,
        context,
        entry('deleted', 'producer', id),
        () => producerRows(store, id),
        () => {
          const { name, picture } = producer(id);
          const beverages = store.kegs.beverages.namesByProducer(id, maxListed + 1);
          if (beverages.length > 0) {
            const sentence = `${name} makes ${listSome(beverages)}: delete them or give them another producer first.`;
            throw new AppError('conflict', sentence, {
              reason: {
                name: 'producer_has_beverages',
                producer: name,
                beverages: listSome(beverages, ', …'),
              },
            });
          }
          keepPicture(picture, context);
          store.kegs.producers.remove(id);
        },
      ),

    /** Sets its one picture; the files of the previous one are kept for a time, for undo. */
    setPicture: (
      item: CatalogueItem,
      picture: PreparedPicture,
      caption: string,
      context?: ActorContext,
    ): Corrected<void> =>
      pictureChange('pictured', item, context, () =>
        store.pictures.set({ subject: item.kind, id: item.id, name: picture.name, caption }),
      ),

    /** Does nothing when there is none. */
    removePicture: (item: CatalogueItem, context?: ActorContext): Corrected<void> =>
      pictureChange('picture_removed', item, context, () => store.pictures.remove(item.kind, item.id)),
  };
}

const findBeverage = (store: Store, id: number): Beverage | null =>
  Number.isSafeInteger(id) ? store.kegs.beverages.byId(id) : null;

const findProducer = (store: Store, id: number): Producer | null =>
  Number.isSafeInteger(id) ? store.kegs.producers.byId(id) : null;

function requireProducer(store: Store, id: number): void {
  if (findProducer(store, id) === null)
    throw validationError('producer_id', 'must be the id of a producer', {
      name: 'exists',
      what: 'producer',
    });
}

/** `3, 7, 12 and more`; the caller passes one more than the maximum when there are more. */
function listSome(names: readonly (string | number)[], more = ' and more'): string {
  const some = names.slice(0, maxListed).join(', ');
  return names.length > maxListed ? `${some}${more}` : some;
}
