import type { Database } from '../database.ts';
import { mayBeBeer } from '../drinks/meter-totals-table.ts';

/** Settings for business days, currency and nightly backups. */
export interface BusinessSettings {
  readonly dayEndsMinutes: number;
  readonly nightlyBackups: boolean;
  /** ISO 4217. */
  readonly currency: string;
  /** Parts of the day for poured against sold, as text: `10:00 Lunch, 17:00 Evening`; empty for none. */
  readonly shifts: string;
  /** After so many days a keg has been on its tap for too long; null without limit. */
  readonly maxDaysOnTap: number | null;
}

/** Total of the drinks of one tap, keg and meter, valid or held. */
export interface PouredTotal {
  readonly tapId: number | null;
  readonly kegId: number | null;
  readonly isHeld: boolean;
  /** Null for drinks whose volume was given, and those that no meter counted. */
  readonly meter: string | null;
  readonly drinks: number;
  readonly volumeMl: number;
  readonly ticksLost: number;
  readonly foamTicks: number;
  readonly riseHz: number;
  readonly flowMs: number;
  readonly endedInGas: number;
  readonly untilMs: number;
  /** Volume of the pours that may not belong to the total, or do although they are held: whose time is uncertain, or may be beer. */
  readonly unsettledMl: number;
  /** Value at the prices of their time, in the smallest unit of the currency; null if no price was set. */
  readonly revenueMinor: number | null;
  /** Number and volume of the drinks without a price at their time; included in the other numbers. */
  readonly unpriced: number;
  readonly unpricedMl: number;
}

interface SpilledTotal {
  readonly tapId: number | null;
  readonly kegId: number | null;
  readonly spills: number;
  readonly volumeMl: number;
}

interface PouredRow {
  tap_id: number | null;
  keg_id: number | null;
  is_valid: number;
  meter: string | null;
  drinks: number;
  volume_ml: number;
  ticks_lost: number;
  foam_ticks: number;
  rise_hz: number;
  flow_ms: number;
  ended_in_gas: number;
  until_ms: number;
  unsettled_ml: number;
  revenue_minor: number | null;
  unpriced: number;
  unpriced_ml: number;
}

/**
 * Totals of a time span, and recipients of the daily report. `includedTax` is SQL of extensions for the hundredths of a percent that
 * the price of the size `p.serving_size_id` of the beverage `o.beverage_id` contains.
 */
export function reportsTable(db: Database, includedTax: readonly string[] = []) {
  const tax = includedTax.length === 0 ? '0' : `coalesce(${includedTax.join(', ')}, 0)`;
  const settings = db.prepare<
    [],
    {
      day_ends_minutes: number;
      nightly_backups: number;
      currency: string;
      shifts: string;
      max_days_on_tap: number | null;
      reported_date: string | null;
    }
  >('SELECT * FROM business_settings');
  const writeSettings = db.prepare<{
    dayEndsMinutes: number;
    nightly: number;
    currency: string;
    shifts: string;
    maxDaysOnTap: number | null;
  }>(
    `UPDATE business_settings SET day_ends_minutes = @dayEndsMinutes, nightly_backups = @nightly,
       currency = @currency, shifts = @shifts, max_days_on_tap = @maxDaysOnTap`,
  );
  const setReported = db.prepare<[string]>('UPDATE business_settings SET reported_date = ?');
  // A drink is valued by the size that is nearest to its volume, in the prices that its beverage had when it began, without
  // tax. Materialized: flattened into the aggregate, the price would be searched once for each of its uses.
  const poured = db.prepare<{ sinceMs: number; untilMs: number }, PouredRow>(
    `WITH valued AS MATERIALIZED (
       SELECT d.tap_id, d.keg_id, d.is_main, d.is_valid, d.volume_ml, d.ticks_lost, iif(d.volume_given, 0, d.foam_ticks) AS foam_ticks,
         d.rise_hz, d.flow_ms, d.gas_ticks, d.pour_time_ms,
         (d.is_valid = 1 AND d.time_certain = 0) OR (d.is_valid = 0 AND ${mayBeBeer}) AS is_unsettled,
         iif(d.volume_given, NULL, d.meter) AS meter,
         (SELECT p.price_minor / p.volume_ml / (1 + ${tax} / 10000.0)
           FROM prices p JOIN price_lists o ON o.id = p.list_id
           WHERE p.list_id = (SELECT l.id FROM price_lists l
             WHERE l.beverage_id = coalesce(
                 (SELECT f.beverage_id FROM keg_former_beverages f
                   WHERE f.keg_id = d.first_keg_id AND f.until_ms > d.pour_time_ms - d.duration_ms ORDER BY f.until_ms LIMIT 1),
                 (SELECT k.beverage_id FROM kegs k WHERE k.id = d.first_keg_id))
               AND l.since_ms <= d.pour_time_ms - d.duration_ms ORDER BY l.since_ms DESC LIMIT 1)
           ORDER BY abs(p.volume_ml - d.drink_ml), p.id LIMIT 1) AS minor_per_ml
       FROM keg_drinks d WHERE d.pour_time_ms >= @sinceMs AND d.pour_time_ms < @untilMs AND d.is_set_aside = 0)
     SELECT tap_id, keg_id, is_valid, meter, total(is_main) AS drinks, total(volume_ml) AS volume_ml,
       total(ticks_lost) AS ticks_lost, total(foam_ticks) AS foam_ticks, total(rise_hz) AS rise_hz, total(flow_ms) AS flow_ms,
       count(*) FILTER (WHERE gas_ticks > 0) AS ended_in_gas, max(pour_time_ms) AS until_ms, total(iif(is_unsettled, volume_ml, 0)) AS unsettled_ml,
       sum(volume_ml * minor_per_ml) AS revenue_minor, total(is_main) FILTER (WHERE minor_per_ml IS NULL) AS unpriced,
       total(iif(minor_per_ml IS NULL, volume_ml, 0)) AS unpriced_ml
     FROM valued GROUP BY tap_id, keg_id, is_valid, meter ORDER BY tap_id, keg_id`,
  );
  const spilled = db.prepare<
    { sinceMs: number; untilMs: number },
    { tap_id: number | null; keg_id: number | null; spills: number; volume_ml: number }
  >(
    `SELECT tap_id, keg_id, total(is_main) AS spills, total(volume_ml) AS volume_ml FROM keg_spills
     WHERE time_ms >= @sinceMs AND time_ms < @untilMs GROUP BY tap_id, keg_id ORDER BY tap_id, keg_id`,
  );
  const firstTime = db
    .prepare<[], number | null>(
      `SELECT min(time) FROM (SELECT min(pour_time_ms) AS time FROM drinks UNION ALL SELECT min(time_ms) FROM spills)`,
    )
    .pluck();
  const readers = db
    .prepare<[], number>(
      `SELECT r.user_id FROM report_readers r JOIN users u ON u.id = r.user_id
       WHERE u.is_active = 1 AND (u.is_staff = 1 OR u.is_superuser = 1) ORDER BY r.user_id`,
    )
    .pluck();
  const isReader = db.prepare<[number]>('SELECT 1 FROM report_readers WHERE user_id = ?');
  const addReader = db.prepare<[number]>('INSERT INTO report_readers VALUES (?) ON CONFLICT DO NOTHING');
  const removeReader = db.prepare<[number]>('DELETE FROM report_readers WHERE user_id = ?');
  return {
    settings(): BusinessSettings {
      const row = settings.get()!;
      return {
        dayEndsMinutes: row.day_ends_minutes,
        nightlyBackups: row.nightly_backups === 1,
        currency: row.currency,
        shifts: row.shifts,
        maxDaysOnTap: row.max_days_on_tap,
      };
    },
    writeSettings: ({ nightlyBackups, ...settings }: BusinessSettings): void =>
      void writeSettings.run({ ...settings, nightly: Number(nightlyBackups) }),
    reportedDate: (): string | null => settings.get()!.reported_date,
    setReported: (date: string): void => void setReported.run(date),
    poured: (span: { sinceMs: number; untilMs: number }): readonly PouredTotal[] =>
      poured.all(span).map((row) => ({
        tapId: row.tap_id,
        kegId: row.keg_id,
        isHeld: row.is_valid === 0,
        meter: row.meter,
        drinks: row.drinks,
        volumeMl: row.volume_ml,
        ticksLost: row.ticks_lost,
        foamTicks: row.foam_ticks,
        riseHz: row.rise_hz,
        flowMs: row.flow_ms,
        endedInGas: row.ended_in_gas,
        untilMs: row.until_ms,
        unsettledMl: row.unsettled_ml,
        revenueMinor: row.revenue_minor,
        unpriced: row.unpriced,
        unpricedMl: row.unpriced_ml,
      })),
    spilled: (span: { sinceMs: number; untilMs: number }): readonly SpilledTotal[] =>
      spilled.all(span).map((row) => ({
        tapId: row.tap_id,
        kegId: row.keg_id,
        spills: row.spills,
        volumeMl: row.volume_ml,
      })),
    /** Time of the first drink or spill, Unix milliseconds; null without one. */
    firstTimeMs: (): number | null => firstTime.get() ?? null,
    /** Ids of active staff who want the daily report. */
    readers: (): readonly number[] => readers.all(),
    isReader: (userId: number): boolean => isReader.get(userId) !== undefined,
    setReader: (userId: number, wants: boolean): void => void (wants ? addReader : removeReader).run(userId),
  };
}
