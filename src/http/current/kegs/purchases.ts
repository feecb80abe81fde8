import Type, { type Static } from 'typebox';
import {
  type KegPurchase,
  maxDelivery,
  maxPurchaseMinor,
  maxPurchaseText,
} from '../../../core/kegs/keg-stock.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { CalendarDate, Closed, Id, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';
import { NewKegJson, toNewKeg } from './new-keg.ts';

const text = (description: string) => Type.String({ maxLength: maxPurchaseText, description });
const day = (description: string) =>
  Nullable({ ...CalendarDate, description: `${description}, \`YYYY-MM-DD\`; null: not known.` });
const amount = (description: string) =>
  Nullable(
    Type.Integer({
      minimum: 0,
      maximum: maxPurchaseMinor,
      description: `${description}, in the smallest unit of the currency (ISO 4217); null: not known.`,
    }),
  );

const purchaseFields = {
  supplier: text('Who delivered it; empty: not known.'),
  batch: text('Batch or lot number; empty: not known.'),
  location: text('Where the keg stands; empty: not known.'),
  received_on: day('Day on which it came'),
  born_on: day('Day on which it was filled'),
  best_before: day('Day until which it is to be used up'),
  cost_minor: amount('What the keg cost, without tax and deposit'),
  deposit_minor: amount('Deposit'),
  deposit_returned_on: Nullable({
    ...CalendarDate,
    description: 'Day on which the empty keg went back, `YYYY-MM-DD`; null: its deposit is out.',
  }),
};

export const PurchaseJson = named(
  'KegPurchase',
  Closed(purchaseFields, { description: 'What is known of a keg from its delivery; for staff.' }),
);

const maybeFields = {
  supplier: Maybe(purchaseFields.supplier),
  batch: Maybe(purchaseFields.batch),
  location: Maybe(purchaseFields.location),
  received_on: Maybe(purchaseFields.received_on),
  born_on: Maybe(purchaseFields.born_on),
  best_before: Maybe(purchaseFields.best_before),
  cost_minor: Maybe(purchaseFields.cost_minor),
  deposit_minor: Maybe(purchaseFields.deposit_minor),
  deposit_returned_on: Maybe(purchaseFields.deposit_returned_on),
};

const ChangesJson = Closed(maybeFields, { description: 'Fields left out keep their values.' });
const params = Open({ id: Id });
const reply = Closed({ purchase: PurchaseJson, ...correctionFields });

const getKegPurchase = defineRoute({
  id: 'getKegPurchase',
  method: 'get',
  path: '/kegs/{id}/purchase',
  summary: 'What is known of a keg from its delivery: supplier, batch, dates, cost and deposit',
  description: 'Of a keg of which nothing is known all fields are empty or null. Never shown to guests.',
  access: 'staff',
  accepts: { params },
  replies: { status: 200, body: Closed({ purchase: PurchaseJson }) },
  run: ({ engine }, { params: { id } }) => ({ purchase: purchaseJson(engine.purchases.ofKeg(id)) }),
});

const changeKegPurchase = defineRoute({
  id: 'changeKegPurchase',
  method: 'patch',
  path: '/kegs/{id}/purchase',
  summary: 'Change what is known of a keg from its delivery. Fields left out keep their values',
  description: 'Also the return of its deposit. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: { params, body: ChangesJson },
  replies: { status: 200, body: reply },
  run(context, { params: { id }, body }) {
    const changed = context.engine.purchases.change(id, toPurchase(body), actorContext(context));
    return { purchase: purchaseJson(changed.result), ...correctionIdOf(changed) };
  },
});

const addDelivery = defineRoute({
  id: 'addDelivery',
  method: 'post',
  path: '/deliveries',
  summary: 'Add the kegs of a delivery to the stock',
  description:
    `Creates up to ${maxDelivery} kegs of a beverage and size with what is known of the delivery, the same for each; ` +
    'change single ones with `PATCH /api/kegs/{id}/purchase`. Written to the audit log, and can be undone as a whole until one ' +
    'of them was put on a tap or changed.',
  access: 'staff',
  accepts: {
    body: Closed({
      keg: NewKegJson,
      count: Type.Integer({ minimum: 1, maximum: maxDelivery, description: 'Number of kegs.' }),
      purchase: Maybe(ChangesJson),
    }),
  },
  replies: {
    status: 201,
    body: Closed({
      keg_ids: Type.Array(Id, { description: 'The new kegs.' }),
      ...correctionFields,
    }),
  },
  run(context, { body: { keg, count, purchase = {} } }) {
    const delivery = { keg: toNewKeg(keg), count, purchase: toPurchase(purchase) };
    const received = context.engine.purchases.receive(delivery, actorContext(context));
    return { keg_ids: [...received.result], ...correctionIdOf(received) };
  },
});

/** What is known of kegs from their deliveries, for staff. */
export const purchaseRoutes = [getKegPurchase, changeKegPurchase, addDelivery];

const toPurchase = (body: Static<typeof ChangesJson>): Partial<KegPurchase> =>
  omitUndefined({
    supplier: body.supplier,
    batch: body.batch,
    location: body.location,
    receivedOn: body.received_on,
    bornOn: body.born_on,
    bestBefore: body.best_before,
    costMinor: body.cost_minor,
    depositMinor: body.deposit_minor,
    depositReturnedOn: body.deposit_returned_on,
  });

export const purchaseJson = (purchase: KegPurchase): Static<typeof PurchaseJson> => ({
  supplier: purchase.supplier,
  batch: purchase.batch,
  location: purchase.location,
  received_on: purchase.receivedOn,
  born_on: purchase.bornOn,
  best_before: purchase.bestBefore,
  cost_minor: purchase.costMinor,
  deposit_minor: purchase.depositMinor,
  deposit_returned_on: purchase.depositReturnedOn,
});
