import Type, { type Static } from 'typebox';
import { fileCharsets } from '../../../core/files/charset.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable, named } from '../../../http/routes/schemas.ts';
import { saleFields } from '../core/sales-format.ts';
import type { SalesPreview } from '../engine/imports/preview-sales.ts';
import { Amount, BadRowJson, ColumnsJson, SaleKindJson } from './sales-schemas.ts';

const Text = (description: string) => Type.String({ description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const LineJson = Closed(
  {
    time: { ...IsoSeconds, description: 'Its time, UTC.' },
    check_id: Text('Number of the check; empty for none.'),
    item_key: Text('Number of the product, else its name.'),
    item_name: Text('Name of the product.'),
    variant: Text('Variant; empty for none.'),
    category: Text('Category; empty for none.'),
    kind: SaleKindJson,
    quantity: Type.Number({ description: 'Quantity.' }),
    gross_minor: Amount('Price before discounts'),
    discount_minor: Amount('Discount'),
    net_minor: Amount('Price after discounts, as the till writes it'),
  },
  { description: 'A line as it is understood.' },
);

export const SalesPreviewJson = named(
  'SalesPreview',
  Closed(
    {
      columns: Type.Array(Text('Name of a column.'), {
        description: 'Columns of the file, without those that name persons.',
      }),
      missing: Type.Array(Type.Enum([...saleFields], { description: 'A field.' }), {
        description: 'Required fields whose column is not in the file; then nothing below is read.',
      }),
      guessed_columns: ColumnsJson(
        'Columns by field as guessed from their names in English, German, Spanish, French and Dutch, whatever `format` says. Show them to a person before they are sent as `format.columns`.',
      ),
      head_line: Type.Integer({
        minimum: 1,
        description: 'Line with the names of the columns; rows above it are skipped.',
      }),
      charset: Type.Enum([...fileCharsets], {
        description:
          'Character set in which the file was read: UTF-8 when all of its bytes are, else the chosen one, or Windows-1252 where UTF-8 was chosen.',
      }),
      sample: Type.Array(LineJson, { description: 'The first ten lines.' }),
      lines: Count('Rows with a line.'),
      skipped_rows: Count('Rows that are no sale of a product.'),
      bad_rows: Count('Rows that were not understood.'),
      faults: Type.Array(BadRowJson, { description: 'The first 100 of them.' }),
      first_time: Nullable({ ...IsoSeconds, description: 'Time of the first line, UTC.' }),
      last_time: Nullable({ ...IsoSeconds, description: 'Time of the last line, UTC.' }),
      categories: Type.Array(
        Closed(
          {
            name: Text('Its name; empty for products without one.'),
            lines: Count('Number of lines.'),
            products: Count('Number of products.'),
            is_draught: Type.Boolean({
              description: 'True when its name or one of its products says draught beer.',
            }),
          },
          { description: 'A category of the file.' },
        ),
        { description: 'Those with most lines first.' },
      ),
      changes: Nullable(
        Closed(
          {
            new_lines: Count('Lines that are not stored yet.'),
            changed_lines: Count('Lines that are stored with other values.'),
            gone_lines: Count(
              'Stored lines in the span of the file that it does not have: they will count no longer. 0 unless `is_complete`, or with bad rows.',
            ),
            changed: Type.Array(LineJson, { description: 'The first 20 of them, as they will be.' }),
            gone: Type.Array(LineJson, { description: 'The first 20 of them, as they are.' }),
          },
          { description: 'What the import will do; its undo restores it.' },
        ),
      ),
    },
    { description: 'How a file of a till would be understood.' },
  ),
);

const time = (ms: number | null) => (ms === null ? null : isoSeconds(ms));

type Line = SalesPreview['sample'][number] | NonNullable<SalesPreview['changes']>['gone'][number];

const lineJson = (line: Line): Static<typeof LineJson> => ({
  time: isoSeconds(line.timeMs),
  check_id: line.checkId,
  item_key: 'itemKey' in line ? line.itemKey : line.itemName,
  item_name: line.itemName,
  variant: line.variant,
  category: line.category,
  kind: line.kind,
  quantity: line.quantity,
  gross_minor: line.grossMinor,
  discount_minor: line.discountMinor,
  net_minor: line.netMinor,
});

export const salesPreviewJson = (preview: SalesPreview): Static<typeof SalesPreviewJson> => ({
  columns: [...preview.columns],
  missing: [...preview.missing],
  guessed_columns: { ...preview.guessed },
  head_line: preview.headLine,
  charset: preview.charset,
  sample: preview.sample.map(lineJson),
  lines: preview.lines,
  skipped_rows: preview.skippedRows,
  bad_rows: preview.badRows,
  faults: preview.faults.map((fault) => ({ ...fault })),
  first_time: time(preview.firstMs),
  last_time: time(preview.lastMs),
  categories: preview.categories.map(({ name, lines, products, isDraught }) => ({
    name,
    lines,
    products,
    is_draught: isDraught,
  })),
  changes: preview.changes && {
    new_lines: preview.changes.newLines,
    changed_lines: preview.changes.changedLines,
    gone_lines: preview.changes.goneLines,
    changed: preview.changes.changed.map(lineJson),
    gone: preview.changes.gone.map(lineJson),
  },
});
