import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine } from '../../../engine/engine.ts';
import {
  PagingJson,
  pagingJson,
  timedPageFields,
  toPageRequest,
} from '../../../http/current/shared/paging.ts';
import {
  IdParam,
  Instant,
  parseInstant,
  parseTimeSpan,
  timeSpanFields,
} from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, named, Open } from '../../../http/routes/schemas.ts';
import { saleKinds } from '../core/sale-line.ts';
import { type ApiLine, maxApiLines } from '../engine/imports/api-sales.ts';
import type { SalesRouteParts } from './route-parts.ts';
import { Amount, SaleKindJson, TimeMeaningJson } from './sales-schemas.ts';

const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });

const Quantity = Type.Number({
  minimum: -10_000,
  maximum: 10_000,
  description: 'Quantity; negative in a line that takes back an earlier one.',
});

const SaleJson = named(
  'Sale',
  Closed(
    {
      id: Id,
      till_id: { ...Id, description: 'Id of the till.' },
      till: Type.String({ description: 'Name of the till.' }),
      import_id: { ...Id, description: 'Id of its import.' },
      item_id: { ...Id, description: 'Id of the product.' },
      item_name: Type.String({ description: 'Name of the product.' }),
      variant: Type.String({ description: 'Its variant; empty for none.' }),
      category: Type.String({ description: 'Its category; empty for none.' }),
      check_id: Type.String({ description: 'Number of the check; empty for none.' }),
      time: { ...IsoSeconds, description: 'When the till stamped it, UTC.' },
      kind: SaleKindJson,
      quantity: Quantity,
      gross_minor: Amount('Price before discounts'),
      discount_minor: Amount('Discount'),
      net_minor: Amount('Price after discounts, as the till writes it'),
    },
    { description: 'A line of a till.' },
  ),
);

const NewSaleJson = named(
  'NewSale',
  Closed(
    {
      external_id: Maybe(
        Text(
          128,
          'Identifies the line at the till. Without it a line is known by check, product, variant, time and whether its quantity is negative.',
        ),
      ),
      check_id: Maybe(Text(128, 'Number of the check.')),
      time: Instant('When the till stamped it.'),
      item_key: Maybe(Text(128, 'Number of the product (PLU, SKU); its name unless given.')),
      item_name: Type.String({ minLength: 1, maxLength: 128, description: 'Name of the product.' }),
      variant: Maybe(Text(128, 'Variant, such as a size.')),
      category: Maybe(Text(128, 'Category.')),
      kind: Maybe(SaleKindJson),
      quantity: Maybe(Quantity),
      gross_minor: Maybe(Amount('Price before discounts')),
      discount_minor: Maybe(Amount('Discount')),
      net_minor: Maybe(Amount('Price after discounts, as the till writes it')),
      seller: Maybe(
        Text(
          64,
          'Who rang it up. Kept only while figures by person are on (`/api/sales/by-person`), else ignored.',
        ),
      ),
    },
    { description: 'A line of a till; a sale of one piece unless it says otherwise.' },
  ),
);

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const filters = {
  till_id: Maybe(IdParam),
  import_id: Maybe(IdParam),
  item_id: Maybe(IdParam),
  kind: Maybe(Type.Enum([...saleKinds], { description: 'Only lines of this kind.' })),
  ...timeSpanFields,
};

/** Lines of tills, for staff and programs with a key of staff. */
export const saleRoutes = ({ servicesOf }: SalesRouteParts): readonly Route[] => [
  defineRoute({
    id: 'listSales',
    method: 'get',
    path: '/sales',
    summary: 'List the lines of tills, newest first',
    description: 'A line that was voided meanwhile is listed once, as voided.',
    access: 'staff',
    accepts: { query: Open({ ...timedPageFields, ...filters }) },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        sales: Type.Array(SaleJson, { description: 'The lines of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query }) {
      const { till_id: tillId, import_id: importId, item_id: itemId, kind } = query;
      const page = servicesOf(engine).sales.lines({
        ...toPageRequest(query),
        ...omitUndefined({ tillId, importId, itemId, kind }),
        ...parseTimeSpan(engine, query),
      });
      return {
        paging: pagingJson(page, addressWith),
        sales: page.items.map(
          (sale): Static<typeof SaleJson> => ({
            id: sale.id,
            till_id: sale.tillId,
            till: sale.till,
            import_id: sale.importId,
            item_id: sale.itemId,
            item_name: sale.itemName,
            variant: sale.variant,
            category: sale.category,
            check_id: sale.checkId,
            time: isoSeconds(sale.timeMs),
            kind: sale.kind,
            quantity: sale.quantity,
            gross_minor: sale.grossMinor,
            discount_minor: sale.discountMinor,
            net_minor: sale.netMinor,
          }),
        ),
      };
    },
  }),
  defineRoute({
    id: 'recordSales',
    method: 'post',
    path: '/sales',
    summary: 'Record lines of a till',
    description:
      'At most 200, all or none. Sending a line again changes nothing; with other values, such as voided, it is changed. The till is ' +
      'created by its name when there is none. The lines that come on one UTC day are one import, which can be undone. A new import and changed lines are written to the audit log.',
    access: 'staff',
    accepts: {
      body: Closed({
        till: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the till.' }),
        time_meaning: Maybe(TimeMeaningJson),
        sales: Type.Array(NewSaleJson, { minItems: 1, maxItems: maxApiLines, description: 'The lines.' }),
      }),
    },
    replies: {
      status: 200,
      body: Closed({
        till_id: { ...Id, description: 'Id of the till.' },
        import_id: { ...Id, description: 'Id of the import.' },
        new_lines: Count('Lines that were not known before.'),
        changed_lines: Count('Lines with other values than before.'),
        known_lines: Count('Lines that were known: nothing was changed.'),
      }),
    },
    run(context, { body }) {
      const lines = body.sales.map((sale, i) => toLine(context.engine, sale, i));
      const received = servicesOf(context.engine).sales.api.receive(
        body.till,
        { lines, timeMeaning: body.time_meaning ?? 'ring' },
        actorContext(context),
      );
      return {
        till_id: received.tillId,
        import_id: received.importId,
        new_lines: received.newLines,
        changed_lines: received.changedLines,
        known_lines: received.knownLines,
      };
    },
  }),
];

const toLine = (engine: Engine, sale: Static<typeof NewSaleJson>, i: number): ApiLine => ({
  externalId: sale.external_id ?? '',
  checkId: sale.check_id ?? '',
  timeMs: parseInstant(engine, `sales.${i}.time`, sale.time),
  itemKey: sale.item_key ?? '',
  itemName: sale.item_name,
  variant: sale.variant ?? '',
  category: sale.category ?? '',
  kind: sale.kind ?? 'sale',
  quantity: sale.quantity ?? 1,
  grossMinor: sale.gross_minor ?? null,
  discountMinor: sale.discount_minor ?? null,
  netMinor: sale.net_minor ?? null,
  ...omitUndefined({ seller: sale.seller }),
});
