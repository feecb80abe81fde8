import { cleanCell } from '../../../core/files/cells.ts';
import { parseNumber } from '../../../core/files/numbers.ts';
import { parseFileTime, type WrittenTime } from '../../../core/files/times.ts';
import {
  maxAmountMinor,
  maxIdText,
  maxItemText,
  maxQuantity,
  type SaleKind,
  type SaleLine,
} from './sale-line.ts';
import {
  isPersonalColumn,
  requiredSaleFields,
  type SaleField,
  type SalesFormat,
  saleFields,
  toColumnKey,
} from './sales-format.ts';
import { maxSellerName } from './sellers.ts';

/** Why a row is not understood. */
export const saleRowFaults = [
  'cells', // fewer cells than the head of the file names
  'quotes', // a quote is missing or wrong, so that rows are joined
  'too_long', // longer than a line of a till
  'charset', // has characters that the chosen character set does not have
  'time',
  'date_order', // its date has another order of day, month and year than the chosen one
  'implausible_time', // before 2000 or in the future
  'item', // no product
  'quantity',
  'amount',
  'kind', // a text that stands for no kind
  'above_head', // a full row above the names of the columns
  'transaction', // its receipt is not in the other file
] as const;
export type SaleRowFault = (typeof saleRowFaults)[number];

/** A line whose time is not converted yet. */
export type ReadLine = Omit<SaleLine, 'timeMs'> & { readonly time: WrittenTime };

export type SaleRow =
  | { readonly kind: 'line'; readonly line: ReadLine }
  /** A row that is no sale of a product, such as a payment or a sum. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'bad'; readonly fault: SaleRowFault };

/** Position of the column by field. */
export type ColumnPositions = Readonly<Partial<Record<SaleField, number>>>;

/** Finds the columns of a format in the head of a file, that of the seller only with `hasSellers`; `missing` are required ones that it does not have. */
export function findColumns(
  head: readonly string[],
  { columns }: Pick<SalesFormat, 'columns'>,
  hasSellers = false,
): { readonly positions: ColumnPositions; readonly missing: readonly SaleField[] } {
  const names = head.map(toColumnKey);
  const positions: Partial<Record<SaleField, number>> = {};
  for (const field of saleFields) {
    const name = columns[field];
    if (name === undefined) continue;
    if (field === 'seller' ? !hasSellers : isPersonalColumn(name)) continue;
    const position = names.indexOf(toColumnKey(name));
    if (position >= 0) positions[field] = position;
  }
  return { positions, missing: requiredSaleFields.filter((field) => positions[field] === undefined) };
}

const bad = (fault: SaleRowFault): SaleRow => ({ kind: 'bad', fault });
const skipped: SaleRow = { kind: 'skipped' };

/** Parses one row. `minorDigits` are those of the site's currency. Never throws. */
export function parseSaleRow(
  cells: readonly string[],
  positions: ColumnPositions,
  format: SalesFormat,
  minorDigits: number,
): SaleRow {
  const cell = (field: SaleField): string => {
    const position = positions[field];
    return position === undefined ? '' : cleanCell(cells[position] ?? '');
  };
  if (cells.every((text) => text.trim() === '')) return skipped;
  const lastColumn = Math.max(...requiredSaleFields.map((field) => positions[field] ?? 0));
  if (cells.length <= lastColumn) return bad('cells');
  // Two quotation marks without their pair make one cell of all that is between them.
  if (Object.values(positions).some((position) => /[\r\n]/.test((cells[position] ?? '').trim())))
    return bad('quotes');

  const kindText = cell('kind').toLowerCase();
  const written = kindText === '' ? 'sale' : findKind(format, kindText);
  if (written === 'skip') return skipped;
  if (written === null) return format.preset === 'dsfinvk' ? skipped : bad('kind');

  const itemName = cell('item_name');
  const quantityText = cell('quantity');
  // Rows of sums, tips and payments name no product.
  if (itemName === '' && quantityText === '') return skipped;
  if (itemName === '') return bad('item');
  const itemKey = cell('item_key') || itemName;
  const variant = cell('variant');
  const category = cell('category');
  if ([itemName, itemKey, variant, category].some((text) => lengthOf(text) > maxItemText))
    return bad('too_long');
  if ([itemName, itemKey, variant, category].some((text) => text.includes('\uFFFD'))) return bad('charset');
  const [externalId, checkId] = [cell('external_id'), cell('check_id')];
  if (lengthOf(externalId) > maxIdText || lengthOf(checkId) > maxIdText) return bad('too_long');

  const seller = [...cell('seller')].slice(0, maxSellerName).join('');

  const time = parseFileTime(cell('date'), cell('time'), format.dateOrder);
  if (time === null) return bad('time');
  if (time === 'order') return bad('date_order');
  const quantity = parseNumber(quantityText, format.decimalSign);
  if (quantity === null || Math.abs(quantity) > maxQuantity) return bad('quantity');

  const amounts = (['gross', 'discount', 'net'] as const).map((field) => {
    const text = cell(field);
    if (text === '') return null;
    const amount = parseNumber(text, format.decimalSign);
    // NaN marks a wrong amount.
    if (amount === null) return Number.NaN;
    const pieces = format.amountsPerPiece ? quantity : 1;
    return Math.round(amount * pieces * 10 ** minorDigits) + 0;
  });
  if (amounts.some((amount) => amount !== null && !(Math.abs(amount) <= maxAmountMinor)))
    return bad('amount');
  const [grossMinor, discountMinor, netMinor] = amounts as [number | null, number | null, number | null];

  // Tills write discounts with either sign: gross less discount is net.
  const discount = discountMinor === null ? null : Math.abs(discountMinor) * (quantity < 0 ? -1 : 1) + 0;
  const isFree =
    format.freeIsComp && written === 'sale' && quantity > 0 && netMinor === 0 && (grossMinor ?? 0) > 0;
  const kind: SaleKind =
    written === 'sale' && quantity < 0 ? format.negativeMeans : isFree ? 'comp' : written;
  return {
    kind: 'line',
    line: {
      externalId,
      checkId,
      time,
      writtenTime: toWrittenText(time),
      itemKey,
      itemName,
      variant,
      category,
      kind,
      quantity,
      grossMinor,
      discountMinor: discount,
      netMinor,
      ...(seller !== '' && { seller }),
    },
  };
}

const findKind = ({ kinds }: SalesFormat, text: string): SaleKind | 'skip' | null =>
  Object.hasOwn(kinds, text) ? kinds[text]! : null;

const lengthOf = (text: string): number => [...text].length;

/** What clocks showed, or the instant with its zone. */
export const toWrittenText = (time: WrittenTime): string =>
  time.kind === 'instant'
    ? new Date(time.ms).toISOString()
    : new Date(time.shownMs).toISOString().slice(0, 19);
