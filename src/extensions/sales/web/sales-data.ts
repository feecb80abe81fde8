import { fromMinor } from '../../../core/kegs/money.ts';
import type { Result } from '../../../web/api/client.ts';
import { barTime, formatBarTime, formatMoney, type Units } from '../../../web/app/format.ts';
import { findText, t } from '../../../web/locales/locale.ts';

export type Till = Result<'GET /tills'>['tills'][number];
export type SalesImport = Result<'GET /sales-imports'>['imports'][number];
export type TillItem = Result<'GET /tills/{id}/items'>['items'][number];
export type Component = TillItem['mappings'][number]['components'][number];
export type Preset = Result<'GET /sales-presets'>['presets'][number];
export type SalesFormat = NonNullable<Till['format']>;
export type Preview = Result<'POST /sales-previews'>;
export type Size = Result<'GET /serving-sizes'>['serving_sizes'][number];

/** How a file is to be read; null: not answered yet. */
export type DraftFormat = Omit<SalesFormat, 'date_order' | 'time_meaning'> &
  Pick<Preset, 'date_order' | 'time_meaning'>;

/** The file of a till. */
export interface ChosenFile {
  readonly tillId: number | null;
  readonly tillName: string;
  readonly file: File;
  /** Of DSFinV-K, unless the file is an archive. */
  readonly transactions: File | null;
  /** The answer whether the till's amounts contain tax; null where it was not asked. */
  readonly includedTaxBasisPoints: number | null;
}

/** A file of some megabytes on a slow network, read by a Pi. */
export const importTimeoutMs = 300_000;

export const formatTime = (iso: string, units: Units): string => formatBarTime(barTime(iso, units));

/** The first and the last time of some lines. */
export const formatSpan = (first: string | null, last: string | null, units: Units): string =>
  first === null || last === null
    ? ''
    : t('sales.fromTo', { first: formatTime(first, units), last: formatTime(last, units) });

export const formatAmount = (minor: number | null, currency: string): string =>
  minor === null ? '–' : formatMoney(fromMinor(minor, currency), currency);

/** Name of a product with its variant. */
export const itemText = ({ name, variant }: Pick<TillItem, 'name' | 'variant'>): string =>
  variant === '' ? name : `${name} · ${variant}`;

export const categoryText = (category: string): string => category || t('sales.noCategory');

export const kindText = (kind: string): string => findText('sales.kinds', kind) ?? kind;
export const stateText = (state: string): string => findText('sales.states', state) ?? state;
export const presetText = (preset: string): string => findText('sales.presets', preset) ?? preset;
export const faultText = (fault: string): string => findText('sales.faults', fault) ?? fault;
export const fieldText = (field: string): string => findText('sales.fields', field) ?? field;
