import Type, { type Static } from 'typebox';

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A pour that runs now; `volume_ml` is computed with the meter's present calibration. */
export const RunningPour = Type.Object({
  pour_id: Type.String(),
  ticks: Type.Integer(),
  volume_ml: Type.Number(),
});

/** What the page shows of one tap. */
export const LiveTap = Type.Object({
  id: Type.String(),
  name: Type.String(),
  meter_name: Nullable(Type.String()),
  /** How far the count can be trusted. */
  meter_state: Type.Enum(['counting', 'losing', 'fault', 'silent', 'unmetered', 'simulated']),
  /** When the board of a `silent` meter was heard of last, ISO. */
  meter_seen_time: Nullable(Type.String()),
  /** One sentence for the bar when the state is `fault` or `losing`. */
  meter_problem: Nullable(Type.String()),
  calibrated: Type.Boolean(),
  /** The meter's present calibration; null for a tap without a meter. */
  ticks_per_ml: Nullable(Type.Number()),
  keg: Nullable(
    Type.Object({
      id: Type.Integer(),
      percent_full: Type.Number(),
      volume_ml_remain: Type.Number(),
      full_volume_ml: Type.Number(),
    }),
  ),
  /** About when the keg is empty: ISO time somewhere within a part of that day. Null where nobody can tell. */
  runs_out: Nullable(
    Type.Object({
      time: Type.String(),
      part: Type.Enum(['night', 'morning', 'afternoon', 'evening']),
    }),
  ),
  /** The pour that was over last there. */
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
      /** A square of 128 pixels. */
      picture_url: Nullable(Type.String()),
    }),
  ),
  /** What a serving costs; null where nobody has said so. */
  price: Nullable(Type.Object({ serving_ml: Type.Number(), price: Type.Number(), currency: Type.String() })),
  /** What comes next on it, where somebody has said so. */
  next: Nullable(
    Type.Object({
      /** Null where no keg of it is here yet. */
      keg_id: Nullable(Type.Integer()),
      name: Type.String(),
      producer: Type.String(),
    }),
  ),
  temp_c: Nullable(Type.Number()),
  /** ISO time of that reading. */
  temp_time: Nullable(Type.String()),
  /** True when the thermometer has missed three readings in a row. */
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
});

/** Event `house`: the whole picture; sent first and again whenever anything but a running pour changes. */
export const SnapshotMessage = Type.Object({
  title: Type.String(),
  /** Where a phone finds this page; null where only the daemon’s own machine does. */
  address: Nullable(Type.String()),
  /** The sign of the house, at most 1024 pixels long. */
  logo_url: Nullable(Type.String()),
  volume_units: Type.Enum(['metric', 'imperial']),
  temperature_units: Type.Enum(['c', 'f']),
  time_zone: Type.String(),
  /** At this share of a keg somebody should look for the next one. */
  keg_low_share: Type.Number(),
  taps: Type.Array(LiveTap),
  drinks: Type.Array(LiveDrink),
  /** Drinks waiting for review. */
  held: Type.Integer(),
  /** True when the pins are simulated; the page then offers to pour. */
  simulated: Type.Boolean(),
  clock_synced: Type.Boolean(),
  /** Sentences about what does not work; empty when all is well. */
  problems: Type.Array(Type.String()),
  /** The part of the house that each of `problems` is about, in their order: `disk`, `power`, … */
  problem_parts: Type.Array(Type.String()),
});

/** Event `pour`: the odometer of one tap, at most one message a tap and 50 ms. */
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
