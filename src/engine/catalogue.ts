import { AppError } from '../core/app-error.ts';
import type { Beverage, Producer } from '../core/records.ts';
import type { Store } from '../store/store.ts';
import type { BeverageFields } from '../store/tables/beverages-table.ts';
import type { ProducerFields } from '../store/tables/producers-table.ts';
import { type ActorContext, auditedChange } from './actor-context.ts';
import { found, misfit } from './bounds.ts';
import { beverageIn, producerIn, unknownBeverage, unknownProducer } from './catalogue-bounds.ts';
import type { EngineParts } from './parts.ts';
import type { PreparedPicture } from './pictures.ts';

export type { BeverageFields } from '../store/tables/beverages-table.ts';
export type { ProducerFields } from '../store/tables/producers-table.ts';

/** Which thing of the catalogue a picture is of. */
export interface CatalogueItem {
  readonly kind: 'beverage' | 'producer';
  readonly id: number;
}

/** What can be on tap, and who makes it. What is named here and does not exist is `not_found`. */
export interface Catalogue {
  beverage(id: number): Beverage | null;
  producer(id: number): Producer | null;
  /** What is left out is unknown; a colour nobody told is amber. */
  addBeverage(
    beverage: Pick<BeverageFields, 'name' | 'producerId'> & Partial<BeverageFields>,
    context?: ActorContext,
  ): Beverage;
  changeBeverage(id: number, fields: Partial<BeverageFields>, context?: ActorContext): Beverage;
  /** Refused while a keg has it, finished ones too. */
  removeBeverage(id: number, context?: ActorContext): void;
  addProducer(
    producer: Pick<ProducerFields, 'name'> & Partial<ProducerFields>,
    context?: ActorContext,
  ): Producer;
  changeProducer(id: number, fields: Partial<ProducerFields>, context?: ActorContext): Producer;
  /** Refused while a beverage is theirs. */
  removeProducer(id: number, context?: ActorContext): void;
  /** Its one picture; the one it had goes. */
  setPicture(of: CatalogueItem, picture: PreparedPicture, caption: string, context?: ActorContext): void;
  /** Harmless where there is none. */
  removePicture(of: CatalogueItem, context?: ActorContext): void;
}

/** As many as a refusal names one by one. */
const namedOnes = 5;

export function createCatalogue(parts: EngineParts): Catalogue {
  const { store } = parts;
  const beverage = (id: number): Beverage => found(beverageOf(store, id), `beverage ${id}`);
  const producer = (id: number): Producer => found(producerOf(store, id), `producer ${id}`);
  const entry = (past: string, kind: CatalogueItem['kind'], id: number) => ({
    action: `${kind}.${past}`,
    kind,
    id,
    snapshot: (itemId: number) => (kind === 'beverage' ? beverageOf : producerOf)(store, itemId),
  });
  const mustExist = ({ kind, id }: CatalogueItem) => (kind === 'beverage' ? beverage(id) : producer(id));

  return {
    beverage: (id) => beverageOf(store, id),
    producer: (id) => producerOf(store, id),

    addBeverage: (fields, context) =>
      auditedChange(
        parts,
        context,
        { ...entry('created', 'beverage', 0), id: ({ id }: Beverage) => id },
        () => {
          const fresh = beverageIn({ ...unknownBeverage, ...fields });
          mustHaveProducer(store, fresh.producerId);
          return beverage(store.beverages.add(fresh));
        },
      ),
    changeBeverage: (id, fields, context) =>
      auditedChange(parts, context, entry('changed', 'beverage', id), () => {
        const { id: _id, producer: maker, picture: _picture, ...known } = beverage(id);
        const changed = beverageIn({ ...known, producerId: maker.id, ...fields });
        mustHaveProducer(store, changed.producerId);
        store.beverages.change(id, changed);
        return beverage(id);
      }),
    removeBeverage: (id, context) =>
      auditedChange(parts, context, entry('deleted', 'beverage', id), () => {
        const { name } = beverage(id);
        const kegs = store.kegs.idsOfBeverage(id, namedOnes + 1);
        if (kegs.length > 0) {
          throw new AppError('conflict', `${name} is in ${listed('keg', kegs)}: it stays while they do.`, {
            reason: { name: 'beverage_in_kegs', beverage: name },
          });
        }
        store.beverages.remove(id);
      }),

    addProducer: (fields, context) =>
      auditedChange(
        parts,
        context,
        { ...entry('created', 'producer', 0), id: ({ id }: Producer) => id },
        () => producer(store.producers.add(producerIn({ ...unknownProducer, ...fields }))),
      ),
    changeProducer: (id, fields, context) =>
      auditedChange(parts, context, entry('changed', 'producer', id), () => {
        const { id: _id, picture: _picture, ...known } = producer(id);
        store.producers.change(id, producerIn({ ...known, ...fields }));
        return producer(id);
      }),
    removeProducer: (id, context) =>
      auditedChange(parts, context, entry('deleted', 'producer', id), () => {
        const { name } = producer(id);
        const theirs = store.beverages.idsOfProducer(id, namedOnes + 1);
        if (theirs.length > 0) {
          const sentence = `${name} makes ${listed('beverage', theirs)}: delete them first.`;
          throw new AppError('conflict', sentence, {
            reason: { name: 'producer_has_beverages', producer: name },
          });
        }
        store.producers.remove(id);
      }),

    setPicture: (of, picture, caption, context) =>
      auditedChange(parts, context, entry('pictured', of.kind, of.id), () => {
        mustExist(of);
        store.pictures.put({ subject: of.kind, id: of.id, name: picture.name, caption });
      }),
    removePicture: (of, context) =>
      auditedChange(parts, context, entry('picture_removed', of.kind, of.id), () => {
        mustExist(of);
        store.pictures.remove(of.kind, of.id);
      }),
  };
}

const beverageOf = (store: Store, id: number): Beverage | null =>
  Number.isSafeInteger(id) ? store.beverages.byId(id) : null;

const producerOf = (store: Store, id: number): Producer | null =>
  Number.isSafeInteger(id) ? store.producers.byId(id) : null;

function mustHaveProducer(store: Store, id: number): void {
  if (producerOf(store, id) === null)
    throw misfit('producer_id', 'must be the id of a producer', { name: 'exists', what: 'producer' });
}

/** `kegs 3, 7, 12 and more`; `ids` has one more than is named when there are more. */
function listed(what: string, ids: readonly number[]): string {
  const names = ids.slice(0, namedOnes).join(', ');
  if (ids.length > namedOnes) return `${what}s ${names} and more`;
  return ids.length === 1 ? `${what} ${names}` : `${what}s ${names}`;
}
