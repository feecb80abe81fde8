import { cleanCell } from '../../../core/files/cells.ts';
import type { FileCharset } from '../../../core/files/charset.ts';
import type { DateOrder } from '../../../core/files/dates.ts';
import type { DecimalSign } from '../../../core/files/numbers.ts';
import type { FileDelimiter } from '../../../core/files/separator.ts';
import { findHiddenCharacter } from '../../../core/text/text-rules.ts';
import type { SaleKind } from './sale-line.ts';

/** What a column of a till's file can be. */
export const saleFields = [
  'external_id', // identifies the line at the till
  'check_id',
  'date', // with or without the time
  'time',
  'item_key', // PLU or SKU
  'item_name',
  'variant',
  'category',
  'quantity',
  'gross',
  'discount',
  'net',
  'kind',
  'seller', // read only while figures by person are on
] as const;
export type SaleField = (typeof saleFields)[number];

/** Without these a line is not understood. */
export const requiredSaleFields = ['date', 'item_name', 'quantity'] as const satisfies readonly SaleField[];

export const salesPresets = ['generic', 'square', 'toast', 'dsfinvk'] as const;
/** When a till stamps a line: as it is rung up, sent to the bar, or when the check is closed. */
export const timeMeanings = ['ring', 'send', 'close'] as const;
export const negativeMeanings = ['void', 'refund'] as const;

export type SalesPreset = (typeof salesPresets)[number];
export type TimeMeaning = (typeof timeMeanings)[number];

/** How the files of a till are read. */
export interface SalesFormat {
  readonly preset: SalesPreset;
  readonly delimiter: FileDelimiter;
  readonly charset: FileCharset;
  readonly decimalSign: DecimalSign;
  readonly dateOrder: DateOrder;
  /** IANA zone of times without one. */
  readonly timeZone: string;
  readonly timeMeaning: TimeMeaning;
  /** What a line with a negative quantity is. */
  readonly negativeMeans: (typeof negativeMeanings)[number];
  /** True: the amounts are those of one piece, to be multiplied by the quantity. */
  readonly amountsPerPiece: boolean;
  /** True: a line whose discount is its whole price was given for free. */
  readonly freeIsComp: boolean;
  /** True: a file has all lines from its first to its last one; what was imported before and is not in it is gone. */
  readonly isComplete: boolean;
  /** Name of the column by field, as in the head of the file. */
  readonly columns: Readonly<Partial<Record<SaleField, string>>>;
  /** Kind by text of the column `kind`, in small letters; another text is a bad row, an empty one a sale. */
  readonly kinds: Readonly<Record<string, SaleKind | 'skip'>>;
}

/** What a preset knows; the date order and the time zone are asked where the file does not say them. */
export type SalesPresetFormat = Omit<SalesFormat, 'dateOrder' | 'timeZone' | 'timeMeaning'> & {
  /** Null: to be asked. */
  readonly dateOrder: SalesFormat['dateOrder'] | null;
  readonly timeMeaning: TimeMeaning | null;
};

export const maxColumnName = 128;
export const maxKindTexts = 40;

const kindWords: SalesFormat['kinds'] = {
  sale: 'sale',
  void: 'void',
  refund: 'refund',
  comp: 'comp',
  staff: 'staff',
  sample: 'sample',
  training: 'training',
};

/** Columns that the join of lines.csv with transactions.csv makes. */
export const dsfinvkJoined = {
  check_id: 'Z_KASSE_ID/Z_NR/BON_ID',
  external_id: 'Z_KASSE_ID/Z_NR/BON_ID/POS_ZEILE',
  kind: 'GV_TYP/BON_TYP/BON_STORNO',
} as const;

/** Formats of known tills, by the documented names of their columns. */
export const salesPresetFormats: Readonly<Record<SalesPreset, SalesPresetFormat>> = {
  generic: {
    preset: 'generic',
    delimiter: ',',
    charset: 'utf-8',
    decimalSign: '.',
    dateOrder: null,
    timeMeaning: null,
    negativeMeans: 'void',
    amountsPerPiece: false,
    freeIsComp: false,
    isComplete: false,
    columns: Object.fromEntries(saleFields.map((field) => [field, field])),
    kinds: kindWords,
  },
  // Square, item detail. The lines of an order have no id.
  square: {
    preset: 'square',
    delimiter: ',',
    charset: 'utf-8',
    decimalSign: '.',
    dateOrder: 'ymd',
    timeMeaning: 'close',
    negativeMeans: 'refund',
    amountsPerPiece: false,
    freeIsComp: true,
    isComplete: false,
    columns: {
      check_id: 'Transaction ID',
      date: 'Date',
      time: 'Time',
      item_key: 'SKU',
      item_name: 'Item',
      variant: 'Price Point Name',
      category: 'Category',
      quantity: 'Qty',
      gross: 'Gross Sales',
      discount: 'Discounts',
      net: 'Net Sales',
      kind: 'Event Type',
    },
    kinds: { payment: 'sale', refund: 'refund' },
  },
  // Toast, ItemSelectionDetails.
  toast: {
    preset: 'toast',
    delimiter: ',',
    charset: 'iso-8859-1',
    decimalSign: '.',
    dateOrder: 'mdy',
    timeMeaning: 'send',
    negativeMeans: 'void',
    amountsPerPiece: false,
    freeIsComp: true,
    isComplete: false,
    columns: {
      external_id: 'Item Selection Id',
      check_id: 'Check Id',
      date: 'Sent Date',
      item_key: 'PLU',
      item_name: 'Menu Item',
      category: 'Menu Group',
      quantity: 'Qty',
      gross: 'Gross Price',
      discount: 'Discount',
      net: 'Net Price',
      kind: 'Void?',
      seller: 'Server',
    },
    kinds: { false: 'sale', no: 'sale', true: 'void', yes: 'void' },
  },
  // DSFinV-K: lines.csv joined to transactions.csv, whose columns are found by the same names.
  dsfinvk: {
    preset: 'dsfinvk',
    delimiter: ';',
    charset: 'utf-8',
    decimalSign: ',',
    dateOrder: 'ymd',
    timeMeaning: 'close',
    negativeMeans: 'void',
    amountsPerPiece: true,
    // It has neither a discount nor a price after it.
    freeIsComp: false,
    isComplete: false,
    columns: {
      ...dsfinvkJoined,
      date: 'BON_ENDE',
      item_key: 'ART_NR',
      item_name: 'ARTIKELTEXT',
      category: 'WARENGR',
      quantity: 'MENGE',
      gross: 'STK_BR',
    },
    // Other kinds of transactions are deposits, tips, vouchers and cash. A reversed receipt was poured before.
    kinds: { umsatz: 'sale', training: 'training', storno: 'refund' },
  },
};

/**
 * Columns that name a person. They are not read: a single sale would else tell who served it. The exception is the column `seller` while
 * figures by person are on.
 */
const personal = new RegExp(
  `^(?:${[
    '(?:bediener|bedienung|kassierer(?:in)?|kellner(?:in)?|verkäufer(?:in)?|mitarbeiter)(?:[ _-]?(?:id|name|nr|nummer))?',
    '(?:server|employee|staff|user|cashier|waiter|waitress|bartender|seller)(?:[ _-]?(?:id|name|title))?',
    '(?:opened|closed|collected|rung|sold|voided|created)[ _-]?by',
    '(?:customer|kunde|guest|team[ _-]?member|commission).*|gast(?:[ _-]?(?:id|name|nr))?',
    'card[ _-]?brand|pan[ _-]?suffix|device[ _-]?nickname',
  ].join('|')})$`,
  'i',
);

export const isPersonalColumn = (name: string): boolean => personal.test(name.trim());

/** The form in which names of columns are compared. */
export const toColumnKey = (name: string): string => cleanCell(name).replaceAll(/\s+/g, ' ').toLowerCase();

/** True for a text that can be the name of a column. */
export const isColumnName = (name: string): boolean =>
  name.trim() !== '' && name.length <= maxColumnName && findHiddenCharacter(name, 'line') === null;
