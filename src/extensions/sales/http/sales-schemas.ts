import Type, { type Static } from 'typebox';
import { fileCharsets } from '../../../core/files/charset.ts';
import { dateOrders } from '../../../core/files/dates.ts';
import { decimalSigns } from '../../../core/files/numbers.ts';
import { fileDelimiters } from '../../../core/files/separator.ts';
import { AnyId, toId } from '../../../http/routes/input-values.ts';
import { Closed, Id, Maybe, Nullable, named, TextId } from '../../../http/routes/schemas.ts';
import { saleRowFaults } from '../core/parse-sale-row.ts';
import { saleKinds } from '../core/sale-line.ts';
import type { SalesFormat } from '../core/sales-format.ts';
import {
  maxColumnName,
  negativeMeanings,
  saleFields,
  salesPresets,
  timeMeanings,
} from '../core/sales-format.ts';

export const SaleKindJson = Type.Enum([...saleKinds], {
  description:
    '`void`: taken back before it was poured. `refund`: money given back, the beer was poured; with a negative ' +
    'quantity a line of its own, else it marks the line. `comp`, `staff` and `sample`: poured ' +
    'without payment. `training`: nothing was poured.',
});

export const TimeMeaningJson = Type.Enum([...timeMeanings], {
  description: 'When the till stamps a line: as it is rung up, sent to the bar, or when the check is closed.',
});

export const Amount = (what: string) =>
  Nullable(
    Type.Integer({
      minimum: -1_000_000_000_000,
      maximum: 1_000_000_000_000,
      description: `${what}, in the smallest unit of the currency; null when the till does not say.`,
    }),
  );

const Column = Type.String({ minLength: 1, maxLength: maxColumnName, description: 'Name of a column.' });

export const ColumnsJson = (description: string) =>
  Closed(
    Object.fromEntries(saleFields.map((field) => [field, Maybe(Column)])) as Record<
      (typeof saleFields)[number],
      ReturnType<typeof Maybe<typeof Column>>
    >,
    { description },
  );

const formatFields = {
  preset: Type.Enum([...salesPresets], { description: 'Kind of till. `dsfinvk` joins two files.' }),
  delimiter: Type.Enum([...fileDelimiters], { description: 'Sign between the cells.' }),
  charset: Type.Enum([...fileCharsets], { description: 'Character set of the file.' }),
  decimal_sign: Type.Enum([...decimalSigns], { description: 'Decimal sign of numbers.' }),
  date_order: Type.Enum([...dateOrders], { description: 'Order of year, month and day in dates.' }),
  time_zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Time zone of the times, such as `Europe/Berlin`.',
  }),
  time_meaning: TimeMeaningJson,
  negative_means: Type.Enum([...negativeMeanings], {
    description: 'What a line with a negative quantity is.',
  }),
  amounts_per_piece: Type.Boolean({ description: 'True: amounts are those of one piece.' }),
  free_is_comp: Type.Boolean({
    description: 'True: a line whose discount is its whole price was given for free.',
  }),
  is_complete: Type.Boolean({
    description:
      'True: each file has all lines of the till from its first to its last one. Lines of earlier imports that it does not have are gone, unless it has bad rows; undoing the import restores them.',
  }),
  columns: ColumnsJson(
    'Name of the column by field. `date`, `item_name` and `quantity` are required; columns with names of persons are refused.',
  ),
  kinds: Type.Record(
    Type.String({ minLength: 1, maxLength: 128 }),
    Type.Enum([...saleKinds, 'skip'], { description: 'A kind; `skip` ignores the row.' }),
    { maxProperties: 40, description: 'Kind by text of the column `kind`, in small letters.' },
  ),
};

/** How files of a till are read. */
export const SalesFormatJson = named(
  'SalesFormat',
  Closed(formatFields, { description: 'How files of a till are read.' }),
);

/** The same in a request. */
export const NewSalesFormatJson = named(
  'NewSalesFormat',
  Closed(
    { ...formatFields, is_complete: Maybe(formatFields.is_complete) },
    { description: 'How files of a till are to be read.' },
  ),
);

export const toFormat = (json: Static<typeof NewSalesFormatJson>): SalesFormat => ({
  preset: json.preset,
  delimiter: json.delimiter,
  charset: json.charset,
  decimalSign: json.decimal_sign,
  dateOrder: json.date_order,
  timeZone: json.time_zone,
  timeMeaning: json.time_meaning,
  negativeMeans: json.negative_means,
  amountsPerPiece: json.amounts_per_piece,
  freeIsComp: json.free_is_comp,
  isComplete: json.is_complete ?? false,
  columns: json.columns as SalesFormat['columns'],
  kinds: json.kinds,
});

export const formatJson = (format: SalesFormat): Static<typeof SalesFormatJson> => ({
  preset: format.preset,
  delimiter: format.delimiter,
  charset: format.charset,
  decimal_sign: format.decimalSign,
  date_order: format.dateOrder,
  time_zone: format.timeZone,
  time_meaning: format.timeMeaning,
  negative_means: format.negativeMeans,
  amounts_per_piece: format.amountsPerPiece,
  free_is_comp: format.freeIsComp,
  is_complete: format.isComplete,
  columns: { ...format.columns },
  kinds: { ...format.kinds },
});

export const BadRowJson = Closed(
  {
    line: Type.Integer({ minimum: 0, description: 'Number of its first line in the file.' }),
    fault: Type.Enum([...saleRowFaults], { description: 'Why it was not understood.' }),
  },
  { description: 'A row that was not understood.' },
);

const componentFields = {
  serving_size_id: Nullable({
    ...Id,
    description: 'Id of the serving size; null for a volume of its own, as in a pitcher.',
  }),
  count: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Servings in one product.' }),
  liquid_ml: Nullable(
    Type.Number({
      minimum: 1,
      maximum: 100_000,
      'x-unit': 'mL',
      description: 'Beer in one of them, mL. With a serving size it follows from that.',
    }),
  ),
};
const componentText = { description: 'A part of a product with draught beer.' };

/** What a product contains. */
export const ComponentJson = Closed(
  { beverage_id: { ...TextId, description: 'Id of the beverage, as text.' }, ...componentFields },
  componentText,
);
export const ComponentInput = Closed(
  { beverage_id: { ...AnyId, description: 'Id of the beverage.' }, ...componentFields },
  componentText,
);

export const componentJson = (component: {
  readonly beverageId: number;
  readonly sizeId: number | null;
  readonly count: number;
  readonly liquidMl: number | null;
}): Static<typeof ComponentJson> => ({
  beverage_id: String(component.beverageId),
  serving_size_id: component.sizeId,
  count: component.count,
  liquid_ml: component.liquidMl,
});

export const toComponent = (json: Static<typeof ComponentInput>) => ({
  beverageId: toId(json.beverage_id),
  sizeId: json.serving_size_id,
  count: json.count,
  liquidMl: json.liquid_ml,
});
