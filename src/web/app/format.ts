import { formatMoney as formatSum, fromMinor } from '../../core/kegs/money.ts';
import {
  formatQuantity as joinQuantity,
  ounce,
  type Quantity,
  toFineQuantity,
  toQuantity,
  toServing,
  toUncertainQuantity,
  type UncertainQuantity,
  type VolumeStyle,
} from '../../core/kegs/volume-format.ts';
import { mlPerOz, regionOf } from '../../core/kegs/volume-units.ts';
import { fromCelsius, temperatureSign } from '../../core/temperatures/temperature-units.ts';
import type { LiveTap, SnapshotMessage } from '../../http/live/shapes.ts';
import { locale, t } from '../locales/locale.ts';

/** The site's settings that the formats of numbers and dates depend on. */
export type Units = Pick<SnapshotMessage, 'volume_units' | 'temperature_units' | 'time_zone'> &
  Partial<Pick<SnapshotMessage, 'region'>>;

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The no-break space between a number and its unit: a narrow one where the locale has such. */
const unitSpace =
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'liter' })
    .formatToParts(1)
    .find(({ value }) => value === '\u202f')?.value ?? '\u00a0';

/** Formats a quantity as one text, which does not break within. */
export const formatQuantity = (quantity: Quantity): string => joinQuantity(quantity, unitSpace);

/** Formats a measured volume in the site's units. */
export const volume = (ml: number, units: Units): Quantity => toQuantity(ml, volumeStyle(units));

/** Formats a measured volume with the half width of its interval, both in one unit. */
export const uncertainVolume = (ml: number, uncertaintyMl: number, units: Units): UncertainQuantity =>
  toUncertainQuantity(ml, uncertaintyMl, volumeStyle(units));

/** Formats both as one text, `12.3 ± 0.4 L`. */
export function formatUncertainVolume(ml: number, uncertaintyMl: number, units: Units): string {
  const { number, uncertainty, unit } = uncertainVolume(ml, uncertaintyMl, units);
  return formatQuantity({ number: `${number} ± ${uncertainty}`, unit });
}

/** Formats the size of a glass in the site's units. */
export const formatServing = (ml: number, units: Units): string =>
  formatQuantity(toServing(ml, volumeStyle(units)));

/** Formats a volume finely enough to show the effect of a calibration. */
export const formatFineVolume = (ml: number, units: Units): string =>
  formatQuantity(toFineQuantity(ml, volumeStyle(units)));

function volumeStyle(units: Units): VolumeStyle {
  const words = { pint: t('units.partOfPint'), pints: t('units.pint') };
  return { units: units.volume_units, locale, region: regionOfBar(units), words };
}

/** Country of the bar, else of the reader's locale; null when neither is known. */
export const regionOfBar = ({ region }: Units): string | null =>
  region ?? regionOf(locale ?? new Intl.NumberFormat().resolvedOptions().locale);

/** Count on an odometer, always in the small unit, so that it moves visibly during a pour. */
export interface DrumCount {
  /** Counted steps: millilitres, or tenths of an ounce. */
  readonly steps: number;
  /** Number of drums after the decimal point. */
  readonly decimals: 0 | 1;
  readonly unit: string;
}

/** Converts a volume to odometer steps. */
export function drumCount(ml: number, units: Units): DrumCount {
  const poured = Math.max(0, ml);
  return units.volume_units === 'us'
    ? { steps: Math.round((poured / mlPerOz) * 10), decimals: 1, unit: ounce }
    : { steps: Math.round(poured), decimals: 0, unit: 'mL' };
}

/** More than any stored value is typed with. */
const mostDecimals = 6;

/** Decimal separator of the user's locale. */
export const decimalPoint = tenths.formatToParts(0.1).find((part) => part.type === 'decimal')?.value ?? '.';

/** A number with so many decimals, or with those that it has; without thousands separators, so that it can be typed again. */
export function formatDecimal(value: number, decimals?: number): string {
  const digits = {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? mostDecimals,
    useGrouping: false,
  };
  return new Intl.NumberFormat(locale, digits).format(value);
}

/** Formats the count as text, for screen readers. */
export function drumText({ steps, decimals, unit }: DrumCount): string {
  return `${decimals ? tenths.format(steps / 10) : whole.format(steps)} ${unit}`;
}

/** Formats a temperature in the site's scale, to a tenth of a degree. */
export function temperature(celsius: number, units: Units): Quantity {
  const { temperature_units: scale } = units;
  return { number: tenths.format(fromCelsius(celsius, scale)), unit: temperatureSign(scale) };
}

/** Formats alcohol by volume, given in percent. */
export function strength(abv: number): string {
  return t('units.strength', { abv: tenths.format(abv) });
}

const shareFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 });

/** An uncertainty as a share: 0.0147 is `1.5%`. */
export const formatShare = (share: number): string => shareFormat.format(share);

/** Formats a share as whole percent. Only a full keg is shown as 100 and only an empty one as 0. */
export function percent(fraction: number): string {
  const share = Math.min(1, Math.max(0, fraction));
  const shown = Math.round(share * 100);
  if (shown === 100 && share < 1) return '99';
  if (shown === 0 && share > 0) return '1';
  return whole.format(shown);
}

/** A time in the bar's time zone. */
interface BarTime {
  /** Time of day. */
  readonly clock: string;
  /** Day; null for today. */
  readonly day: string | null;
}

/** Converts an ISO time to the time of day at the bar, with the day unless it is today. */
export function barTime(iso: string, units: Units): BarTime {
  const when = new Date(iso);
  if (Number.isNaN(when.getTime())) return { clock: '', day: null };
  const clock = dateFormatter(units, { timeStyle: 'short' }).format(when);
  const date = dateFormatter(units, { year: 'numeric', month: '2-digit', day: '2-digit' });
  if (date.format(when) === date.format(new Date())) return { clock, day: null };
  return { clock, day: dateFormatter(units, { day: 'numeric', month: 'short' }).format(when) };
}

/** Formats it as one text. */
export function formatBarTime({ clock, day }: BarTime): string {
  return day === null ? clock : `${day}, ${clock}`;
}

/** Formats the day of a time at the bar, with the year. */
export const formatBarDay = (iso: string, units: Units): string =>
  dateFormatter(units, { dateStyle: 'medium' }).format(new Date(iso));

/** The day of a time at the bar as an input of the type `date` has it, `YYYY-MM-DD`. */
export function toDateInput(iso: string, units: Units): string {
  const parts = dateFormatter(units, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(
    new Date(iso),
  );
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${find('year')}-${find('month')}-${find('day')}`;
}

/**
 * Creates a formatter in the bar's time zone, or in the device's when the browser does not know that zone.
 */
function dateFormatter(units: Units, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: units.time_zone });
  } catch {
    return new Intl.DateTimeFormat(locale, options);
  }
}

/** Converts an ISO time to the value of a date and time input at the bar, `YYYY-MM-DDTHH:MM`; empty without a time. */
export function toBarInput(iso: string | null, units: Units): string {
  if (iso === null) return '';
  const parts = new Map(
    dateFormatter(units, {
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** Formats the present time of day at the bar, `HH:MM` in 24 hours. */
export function formatClock(units: Units): string {
  return dateFormatter(units, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date());
}

/** A price in two parts, so that the sum can be shown larger than the serving. */
export interface FormattedPrice {
  readonly sum: string;
  readonly serving: string;
}

/** Formats the price of a serving size. */
export const formatServingPrice = (
  { price_minor: minor, currency, volume_ml: ml }: LiveTap['prices'][number],
  units: Units,
): FormattedPrice => ({ sum: formatPriceMinor(minor, currency), serving: formatServing(ml, units) });

/** Formats a price given in the smallest unit of its currency. */
export const formatPriceMinor = (minor: number, currency: string): string =>
  formatMoney(fromMinor(minor, currency), currency);

/** Formats a sum of money in the reader's locale. */
export const formatMoney = (sum: number, currency: string): string => formatSum(sum, currency, locale);
