import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { NewKegJson, toNewKeg } from '../../../http/current/kegs/new-keg.ts';
import { correctionFields, correctionIdOf } from '../../../http/current/shared/correction-id.ts';
import { PictureJson, pictureJson } from '../../../http/current/shared/views.ts';
import { withPicture } from '../../../http/pictures.ts';
import { validationError } from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import { CalendarDate, Closed, Id, Maybe, Nullable, named, Open } from '../../../http/routes/schemas.ts';
import { maxCodeLength } from '../core/gs1.ts';
import { type KegPurchase, maxDelivery, maxPurchaseMinor, maxPurchaseText } from '../core/keg-stock.ts';
import type { StockParts } from './parts.ts';

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
  code: Type.String({
    maxLength: maxCodeLength,
    description: 'Text of the barcode or QR code on the keg; empty: not known.',
  }),
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
  code: Maybe(purchaseFields.code),
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

const getKegPurchase = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'getKegPurchase',
    method: 'get',
    path: '/kegs/{id}/purchase',
    summary: 'What is known of a keg from its delivery: supplier, batch, dates, cost and deposit',
    description: 'Of a keg of which nothing is known all fields are empty or null. Never shown to guests.',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed({ purchase: PurchaseJson, label_picture: Nullable(PictureJson) }) },
    run: ({ engine }, { params: { id } }) => ({
      purchase: purchaseJson(servicesOf(engine).purchases.ofKeg(id)),
      label_picture: pictureJson(servicesOf(engine).purchases.label(id)),
    }),
  });

const changeKegPurchase = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'changeKegPurchase',
    method: 'patch',
    path: '/kegs/{id}/purchase',
    summary: 'Change what is known of a keg from its delivery. Fields left out keep their values',
    description: 'Also the return of its deposit. Written to the audit log, and can be undone.',
    access: 'staff',
    accepts: { params, body: ChangesJson },
    replies: { status: 200, body: reply },
    run(context, { params: { id }, body }) {
      const changed = servicesOf(context.engine).purchases.change(
        id,
        toPurchase(body),
        actorContext(context),
      );
      return { purchase: purchaseJson(changed.result), ...correctionIdOf(changed) };
    },
  });

const setKegLabel = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'setKegLabel',
    method: 'post',
    path: '/kegs/{id}/label',
    summary: 'Set the picture of the label of a keg. Replaces the previous one',
    description:
      'Send a multipart form with a picture of up to 10 MiB and 50 megapixels as `image`. It is reduced to two sizes and stored without ' +
      'metadata. Written to the audit log, and can be undone while the previous picture is stored.',
    access: 'staff',
    accepts: { params, body: Closed({}), files: ['image'] },
    replies: { status: 200, body: Closed({ label_picture: PictureJson, ...correctionFields }) },
    async run(context, { params: { id }, files }) {
      const { purchases } = servicesOf(context.engine);
      // Checked first: decoding a picture takes much CPU time.
      purchases.label(id);
      const upload = files.get('image');
      if (upload === undefined)
        throw validationError('image', 'is required: a picture in a multipart form', { name: 'picture' });
      const set = await withPicture(context, { upload, field: 'image' }, (picture) =>
        purchases.setLabel(id, picture!, actorContext(context)),
      );
      return { label_picture: pictureJson(purchases.label(id))!, ...correctionIdOf(set) };
    },
  });

const removeKegLabel = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'removeKegLabel',
    method: 'delete',
    path: '/kegs/{id}/label',
    summary: 'Delete the picture of the label of a keg. Succeeds when there is none',
    description: 'Written to the audit log, and can be undone while the removed picture is stored.',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed(correctionFields) },
    run: (context, { params: { id } }) =>
      correctionIdOf(servicesOf(context.engine).purchases.setLabel(id, null, actorContext(context))),
  });

const addDelivery = ({ servicesOf }: StockParts) =>
  defineRoute({
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
      const received = servicesOf(context.engine).purchases.receive(delivery, actorContext(context));
      return { keg_ids: [...received.result], ...correctionIdOf(received) };
    },
  });

/** What is known of kegs from their deliveries, for staff. */
export const purchaseRoutes = (parts: StockParts): readonly Route[] => [
  getKegPurchase(parts),
  changeKegPurchase(parts),
  setKegLabel(parts),
  removeKegLabel(parts),
  addDelivery(parts),
];

const toPurchase = (body: Static<typeof ChangesJson>): Partial<KegPurchase> =>
  omitUndefined({
    supplier: body.supplier,
    batch: body.batch,
    code: body.code,
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
  code: purchase.code,
  location: purchase.location,
  received_on: purchase.receivedOn,
  born_on: purchase.bornOn,
  best_before: purchase.bestBefore,
  cost_minor: purchase.costMinor,
  deposit_minor: purchase.depositMinor,
  deposit_returned_on: purchase.depositReturnedOn,
});
