import type { Moment } from '../../core/clock/moment.ts';
import type { HealthReport } from '../../core/health/own-health.ts';
import { remainingMl } from '../../core/kegs/keg-volume.ts';
import type { RunOut } from '../../core/kegs/run-out.ts';
import { regionOf } from '../../core/kegs/volume-units.ts';
import { isCalibrated } from '../../core/measurement/meter-knowledge.ts';
import { runningVolumeMl } from '../../core/measurement/pour-volume.ts';
import type { Drink } from '../../core/records.ts';
import type { LineCleaning } from '../../core/taps/line-cleaning.ts';
import { tapStateForGuests } from '../../core/taps/tap-state.ts';
import { newestReading } from '../../core/temperatures/sensor-reading.ts';
import type { Engine, TapView } from '../../engine/engine.ts';
import { pictureAddress } from '../pictures.ts';
import type { LatestTemperature, MeterStatus, RunningPour } from '../ports.ts';
import { problemJson, problemOrNull } from '../routes/problem-json.ts';
import { isoSeconds } from '../routes/schemas.ts';
import { firstPriceJson, servingPriceJson } from '../routes/serving-price.ts';
import type { HttpServices } from '../services.ts';
import type { LiveDrink, LiveTap, SnapshotMessage } from './shapes.ts';

/** Number of drinks in the page's list. */
const latestDrinks = 12;

/** The sources of a snapshot. */
interface SnapshotSources {
  readonly engine: Engine;
  readonly services: Pick<HttpServices, 'clock' | 'counting' | 'thermo' | 'health' | 'simulator'>;
  phoneAddress?(): string | null;
}

/** Creates a snapshot of everything that the page shows. */
export function snapshotMessage({ engine, services, phoneAddress }: SnapshotSources): SnapshotMessage {
  const { clock, counting, thermo, health, simulator } = services;
  const site = engine.users.site();
  const logo = engine.site.logo();
  const background = engine.site.background();
  const now = clock.now();
  const views = engine.taps.list();
  const active = engine.kegs.priceSchedules.active(now);
  const byMeter = new Map(counting.meterStatuses().map((status) => [status.meter, status]));
  // Other controllers count by themselves and report the progress of their pours.
  const pours = new Map([...counting.runningPours(), ...engine.hooks.shownPours()]);
  const silent = findSilentControllers(engine, views, byMeter, now);
  const temps = thermo.latestTemperatures();
  const emptySinceMs = engine.drinks.emptyKegs.all();
  const lineCleaning = engine.hooks.lineCleaning(now);
  const tapNames = new Map(views.map(({ tap }) => [tap.id, tap.name]));
  return {
    title: site.title,
    address: engine.notifications.mail.settings().baseUrl || (phoneAddress?.() ?? null),
    menu_url: engine.hooks.menuAddress(),
    logo_url: logo && pictureAddress(logo, 1024),
    background_url: background && pictureAddress(background, 1024),
    allergen_note: site.allergenNote,
    prices_now: active && { name: active.schedule.name, until: isoSeconds(active.untilMs) },
    opening_hours: site.openingHours,
    volume_units: site.volumeUnits,
    temperature_units: site.temperatureUnits,
    region: regionOf(site.locale),
    time_zone: site.timeZone,
    keg_low_share: site.kegLowPercent / 100,
    taps: views.map((view) => ({
      ...liveTap(view, pours, temps, now.wallMs),
      ...meterState(view, byMeter, silent),
      keg_empty_since: toIsoOrNull(emptySinceMs.get(view.tap.id)),
      runs_out: runOutJson(engine.taps.facts.predictRunOut(view, now)),
      last_drink: lastDrinkJson(engine.taps.facts.lastDrink(view.tap.id)),
      ...cleaningFields(lineCleaning(view.tap.id)),
    })),
    serving_sizes: engine.kegs.prices
      .servingSizes()
      .map(({ id, volumeMl, name, names }) => ({ id, volume_ml: volumeMl, name, names })),
    drinks: engine.drinks.latest(latestDrinks).map((drink) => liveDrink(engine, drink, tapNames)),
    newest_drink_id: engine.drinks.newest(1)[0]?.id ?? 0,
    held: engine.drinks.heldCount(),
    cleaning_questions: engine.hooks.cleaningQuestions(now),
    show_days_since_cleaning: site.showDaysSinceCleaning,
    alarms: engine.notifications.alarms.unacknowledgedCount(),
    simulated: simulator !== null,
    clock_synced: now.synced,
    problems: toPartProblems(health.report()),
  };
}

/**
 * Returns what guests and members see of a snapshot: no pours held for review, no problems of the machine, no states of meters
 * other than those that the page shows to everybody.
 */
export function snapshotForGuests(message: SnapshotMessage): SnapshotMessage {
  return {
    ...message,
    held: 0,
    cleaning_questions: 0,
    alarms: 0,
    problems: [],
    taps: message.taps.map((tap) => ({
      ...tap,
      state: tapStateForGuests(tap.state),
      meter_state: publicStates.has(tap.meter_state) ? tap.meter_state : 'counting',
      meter_problem: null,
      meter_seen_time: null,
      keg_empty_since: null,
      days_since_cleaning: message.show_days_since_cleaning ? tap.days_since_cleaning : null,
      cleaning_due: null,
    })),
  };
}

/** The states that everybody sees: `simulated` offers to pour, `unmetered` has no odometer. */
const publicStates: ReadonlySet<LiveTap['meter_state']> = new Set(['unmetered', 'simulated', 'counting']);

const toIsoOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : isoSeconds(ms));

const toPartProblems = ({ parts }: HealthReport): SnapshotMessage['problems'] =>
  parts
    .filter(({ problems }) => problems.length > 0)
    .map(({ name, problems }) => ({ part: name, problems: problems.map(problemJson) }));

function liveTap(
  { tap, state, keg, kegsBehind, otherTaps, beverage, lastTemp, next, price, prices }: TapView,
  pours: ReadonlyMap<string, RunningPour>,
  temps: ReadonlyMap<string, LatestTemperature>,
  nowMs: number,
): Omit<
  LiveTap,
  | 'meter_state'
  | 'meter_problem'
  | 'meter_seen_time'
  | 'keg_empty_since'
  | 'runs_out'
  | 'last_drink'
  | 'cleaning'
  | 'days_since_cleaning'
  | 'cleaning_due'
> {
  const { meter } = tap;
  const pour = meter ? pours.get(meter.name) : undefined;
  const remainMl = keg ? remainingMl(keg) : 0;
  return {
    id: String(tap.id),
    name: tap.name,
    number: tap.number,
    state,
    meter_name: meter?.name ?? null,
    calibrated: meter !== null && isCalibrated(meter),
    ticks_per_ml: meter?.ticksPerMl ?? null,
    keg: keg && {
      id: keg.id,
      percent_full: keg.fullVolumeMl > 0 ? remainMl / keg.fullVolumeMl : 0,
      volume_ml_remain: remainMl,
      full_volume_ml: keg.fullVolumeMl,
    },
    kegs_behind: kegsBehind.map((one) => ({ id: one.id, volume_ml_remain: remainingMl(one) })),
    other_taps: otherTaps.map(({ id, name }) => ({ id: String(id), name })),
    beverage: beverage && {
      id: String(beverage.id),
      name: beverage.name,
      producer: beverage.producer.name,
      style: beverage.style,
      abv: beverage.abvPercent,
      color_hex: beverage.colorHex,
      picture_url: beverage.picture && pictureAddress(beverage.picture, 128),
    },
    price: firstPriceJson(price),
    prices: prices.map(servingPriceJson),
    serving_size_ids: [...tap.servingSizeIds],
    has_fob: tap.hasFob,
    next: next && {
      keg_id: next.keg?.id ?? null,
      name: next.beverage.name,
      producer: next.beverage.producer.name,
    },
    ...temperature(lastTemp, tap.thermoSensor ? temps.get(tap.thermoSensor.rawName) : undefined, nowMs),
    pouring:
      meter && pour
        ? { pour_id: pour.pourId, ticks: pour.ticks, volume_ml: runningVolumeMl(meter, pour) }
        : null,
  };
}

/** Returns when each silent controller was last seen, by its id. */
function findSilentControllers(
  engine: Engine,
  views: readonly TapView[],
  meterStatuses: ReadonlyMap<string, MeterStatus>,
  now: Moment,
): ReadonlyMap<number, number> {
  const hasForeign = views.some(({ tap }) => tap.meter !== null && !meterStatuses.has(tap.meter.name));
  // Without a synchronized clock the silence cannot be measured.
  if (!hasForeign || !now.synced) return new Map();
  const { silentMinutes } = engine.notifications.alarms.settings();
  return new Map(
    engine.hooks.reportingControllers(now).flatMap(({ controllerId, lastSeenMs, isPaired }) => {
      const isMissed = isPaired && lastSeenMs !== null;
      return isMissed && now.wallMs - lastSeenMs >= silentMinutes * 60_000
        ? [[controllerId, lastSeenMs] as const]
        : [];
    }),
  );
}

/** A meter that is not ours belongs to another controller, and counts as long as that controller reports. */
function meterState(
  { tap: { meter } }: TapView,
  meterStatuses: ReadonlyMap<string, MeterStatus>,
  silent: ReadonlyMap<number, number>,
): Pick<LiveTap, 'meter_state' | 'meter_problem' | 'meter_seen_time'> {
  const none = { meter_problem: null, meter_seen_time: null };
  if (meter === null) return { ...none, meter_state: 'unmetered' };
  const status = meterStatuses.get(meter.name);
  if (status !== undefined)
    return { ...none, meter_state: status.state, meter_problem: problemOrNull(status.problem) };
  const seenMs = silent.get(meter.controllerId);
  if (seenMs === undefined) return { ...none, meter_state: 'counting' };
  return { ...none, meter_state: 'silent', meter_seen_time: isoSeconds(seenMs) };
}

const cleaningFields = ({
  running,
  daysSince,
  due,
}: LineCleaning): Pick<LiveTap, 'cleaning' | 'days_since_cleaning' | 'cleaning_due'> => ({
  cleaning: running && {
    id: running.id,
    step: running.step,
    contact_ends_time: running.contactEndsMs === null ? null : isoSeconds(running.contactEndsMs),
  },
  days_since_cleaning: daysSince,
  cleaning_due: due,
});

const runOutJson = (end: RunOut | null): LiveTap['runs_out'] =>
  end && { time: isoSeconds(end.timeMs), part: end.part };

const lastDrinkJson = (drink: ReturnType<Engine['taps']['facts']['lastDrink']>): LiveTap['last_drink'] =>
  drink && {
    id: drink.id,
    volume_ml: drink.volumeMl,
    pour_time: isoSeconds(drink.pourTimeMs),
    time_certain: drink.timeCertain,
  };

function temperature(
  stored: TapView['lastTemp'],
  latest: LatestTemperature | undefined,
  nowMs: number,
): Pick<LiveTap, 'temp_c' | 'temp_time' | 'temp_stale'> {
  const newest = newestReading(stored, latest, nowMs);
  if (newest === null) return { temp_c: null, temp_time: null, temp_stale: false };
  return { temp_c: newest.tempC, temp_time: isoSeconds(newest.timeMs), temp_stale: newest.isStale };
}

function liveDrink(engine: Engine, drink: Drink, tapNames: ReadonlyMap<number, string>): LiveDrink {
  const keg = drink.kegId === null ? null : engine.kegs.get(drink.kegId);
  const beverage = keg && engine.kegs.beverage(keg.beverageId);
  return {
    id: drink.id,
    tap_id: drink.tapId !== null && tapNames.has(drink.tapId) ? String(drink.tapId) : null,
    tap_name: drink.tapId === null ? null : (tapNames.get(drink.tapId) ?? null),
    beverage_name: beverage?.name ?? null,
    user_id: drink.username,
    volume_ml: drink.volumeMl,
    pour_time: isoSeconds(drink.pourTimeMs),
    time_certain: drink.timeCertain,
    recovered: drink.recovered,
    flow_while_shut: drink.flowWhileShut,
  };
}
