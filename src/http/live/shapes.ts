import Type, { type Static } from 'typebox';
import { PercentFull } from '../routes/schemas.ts';

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A running pour; `volume_ml` uses the meter's present calibration. */
const RunningPour = Type.Object({
  pour_id: Type.String(),
  ticks: Type.Integer(),
  volume_ml: Type.Number(),
});

/** One tap as shown on the page. */
export const LiveTap = Type.Object({
  id: Type.String(),
  name: Type.String(),
  meter_name: Nullable(Type.String()),
  /** State of the meter's count. */
  meter_state: Type.Enum(['counting', 'losing', 'fault', 'silent', 'unmetered', 'simulated']),
  /** When the controller of a `silent` meter was last seen, ISO. */
  meter_seen_time: Nullable(Type.String()),
  /** One sentence for staff when the state is `fault` or `losing`. */
  meter_problem: Nullable(Type.String()),
  calibrated: Type.Boolean(),
  /** The meter's present calibration; null for a tap without a meter. */
  ticks_per_ml: Nullable(Type.Number()),
  keg: Nullable(
    Type.Object({
      id: Type.Integer(),
      percent_full: PercentFull,
      volume_ml_remain: Type.Number(),
      full_volume_ml: Type.Number(),
    }),
  ),
  /** Estimated time when the keg is empty: an ISO time within a part of that day. Null if it cannot be estimated. */
  runs_out: Nullable(
    Type.Object({
      time: Type.String(),
      part: Type.Enum(['night', 'morning', 'afternoon', 'evening']),
    }),
  ),
  /** The latest drink of this tap. */
  last_drink: Nullable(
    Type.Object({
      id: Type.Integer(),
      volume_ml: Type.Number(),
      pour_time: Type.String(),
      time_certain: Type.Boolean(),
    }),
  ),
  beverage: Nullable(
    Type.Object({
      name: Type.String(),
      producer: Type.String(),
      style: Nullable(Type.String()),
      abv: Nullable(Type.Number()),
      color_hex: Type.String(),
      /** 128 pixels square. */
      picture_url: Nullable(Type.String()),
    }),
  ),
  /** Price of a serving; null if none is set. */
  price: Nullable(Type.Object({ serving_ml: Type.Number(), price: Type.Number(), currency: Type.String() })),
  /** The beverage planned next, if any. */
  next: Nullable(
    Type.Object({
      /** Null if no keg of it is in stock. */
      keg_id: Nullable(Type.Integer()),
      name: Type.String(),
      producer: Type.String(),
    }),
  ),
  temp_c: Nullable(Type.Number()),
  /** ISO time of the reading. */
  temp_time: Nullable(Type.String()),
  /** True when the thermo sensor has missed three readings in a row. */
  temp_stale: Type.Boolean(),
  pouring: Nullable(RunningPour),
});

/** A drink in the page's list. */
export const LiveDrink = Type.Object({
  id: Type.Integer(),
  tap_name: Nullable(Type.String()),
  beverage_name: Nullable(Type.String()),
  user_id: Nullable(Type.String()),
  volume_ml: Type.Number(),
  pour_time: Type.String(),
  time_certain: Type.Boolean(),
  recovered: Type.Boolean(),
  /** True when beer flowed although the tap's valve was shut. */
  flow_while_shut: Type.Boolean(),
});

/** Event `snapshot`: the full state; sent first, and again when anything but a running pour changes. */
export const SnapshotMessage = Type.Object({
  title: Type.String(),
  /** URL of this page for a phone; null if only the daemon's machine reaches it. */
  address: Nullable(Type.String()),
  /** The site's logo, at most 1024 pixels wide and high. */
  logo_url: Nullable(Type.String()),
  volume_units: Type.Enum(['metric', 'us', 'uk']),
  temperature_units: Type.Enum(['c', 'f']),
  time_zone: Type.String(),
  /** Remaining share of a keg at which staff should prepare the next one. */
  keg_low_share: Type.Number(),
  taps: Type.Array(LiveTap),
  drinks: Type.Array(LiveDrink),
  /** Number of pours held for review. */
  held: Type.Integer(),
  /** True with the simulated driver; the page then offers to pour. */
  simulated: Type.Boolean(),
  clock_synced: Type.Boolean(),
  /** Sentences about what does not work; empty without problems. */
  problems: Type.Array(Type.String()),
  /** The part of the daemon that each of `problems` concerns, in the same order: `disk`, `power`, … */
  problem_parts: Type.Array(Type.String()),
});

/** Event `pour`: the odometer of one tap, at most one message per tap and 50 ms. */
export const PourMessage = Type.Object({
  tap_id: Type.String(),
  pour_id: Type.String(),
  state: Type.Enum(['started', 'flowing', 'ended', 'dripped']),
  ticks: Type.Integer(),
  volume_ml: Type.Number(),
});

export type LiveTap = Static<typeof LiveTap>;
export type LiveDrink = Static<typeof LiveDrink>;
export type SnapshotMessage = Static<typeof SnapshotMessage>;
export type PourMessage = Static<typeof PourMessage>;
