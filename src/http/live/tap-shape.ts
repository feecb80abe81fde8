import Type, { type Static } from 'typebox';
import { cleaningSteps } from '../../core/taps/line-cleaning.ts';
import { maxTapNumber } from '../../core/taps/tap-bounds.ts';
import { ProblemJson } from '../routes/problem-json.ts';
import {
  Id,
  IsoSeconds,
  Nullable,
  named,
  PercentFull,
  RemainMl,
  TempC,
  TextId,
  Ticks,
  TotalMl,
} from '../routes/schemas.ts';
import { PriceMinor, ServingPriceJson } from '../routes/serving-price.ts';
import { RestingTapStateJson } from '../routes/tap-state.ts';
import { described, flag, pourId, runningMl, text, timeCertain } from './shape-parts.ts';

/** A running pour. */
const RunningPour = Type.Object(
  { pour_id: pourId, ticks: Ticks, volume_ml: runningMl },
  { description: 'The pour that is running now; null without one.' },
);

/** One tap as shown on the page. */
export const LiveTap = named(
  'LiveTap',
  Type.Object({
    id: TextId,
    name: text('Name of the tap.'),
    number: Type.Integer({
      minimum: 0,
      maximum: maxTapNumber,
      description: 'Number of the tap, which no other tap has.',
    }),
    state: RestingTapStateJson,
    meter_name: Nullable(text('Full name of its meter, such as `pi.flow0`; null without one.')),
    meter_state: Type.Enum(['counting', 'losing', 'fault', 'silent', 'unmetered', 'simulated'], {
      description:
        'State of the meter: it counts; loses ticks; does not work; its controller is not heard from; the tap has none; ' +
        'it is simulated.',
    }),
    meter_seen_time: Nullable(
      described(IsoSeconds, 'When the controller of a `silent` meter was last heard from, UTC.'),
    ),
    meter_problem: Nullable(ProblemJson),
    calibrated: flag('False while the meter has the value of its model, or the default: nobody measured it.'),
    ticks_per_ml: Nullable(
      Type.Number({
        exclusiveMinimum: 0,
        'x-unit': 'ticks/mL',
        description: 'The meter’s present calibration, ticks per mL; null for a tap without a meter.',
      }),
    ),
    keg: Nullable(
      Type.Object(
        {
          id: Id,
          percent_full: PercentFull,
          volume_ml_remain: RemainMl,
          full_volume_ml: described(TotalMl, 'Volume of the full keg, mL.'),
        },
        { description: 'The keg on it; null without one.' },
      ),
    ),
    kegs_behind: Type.Array(
      Type.Object({ id: Id, volume_ml_remain: RemainMl }, { description: 'A keg that follows.' }),
      { description: 'The kegs that follow the one on it, in the order in which they empty.' },
    ),
    other_taps: Type.Array(
      Type.Object({ id: TextId, name: text('Name of the tap.') }, { description: 'A tap.' }),
      { description: 'The other taps of its keg, on a split line.' },
    ),
    has_fob: flag(
      'True when a foam-on-beer detector stops the flow of an empty keg, so that no gas shows it.',
    ),
    keg_empty_since: Nullable(
      described(
        IsoSeconds,
        'When gas came out of the tap, so that its keg is probably empty, UTC; staff are asked. Null otherwise, and for guests.',
      ),
    ),
    runs_out: Nullable(
      Type.Object(
        {
          time: described(IsoSeconds, 'Estimated time when the keg and those behind it are empty, UTC.'),
          part: Type.Enum(['night', 'morning', 'afternoon', 'evening'], {
            description: 'Part of that day at the bar; the estimate is not finer.',
          }),
        },
        { description: 'When the kegs are likely to run out; null when it cannot be estimated.' },
      ),
    ),
    last_drink: Nullable(
      Type.Object(
        {
          id: Id,
          volume_ml: TotalMl,
          pour_time: described(IsoSeconds, 'End of the pour, UTC.'),
          time_certain: timeCertain,
        },
        { description: 'The newest drink from it; null without one.' },
      ),
    ),
    cleaning: Nullable(
      Type.Object(
        {
          id: described(Id, 'Id of the cleaning.'),
          step: Type.Enum([...cleaningSteps], { description: 'What is being done.' }),
          contact_ends_time: Nullable(
            described(IsoSeconds, 'End of the contact time, UTC; null in another step.'),
          ),
        },
        { description: 'The cleaning that runs; what flows meanwhile is no drink. Null without one.' },
      ),
    ),
    days_since_cleaning: Nullable(
      Type.Integer({
        minimum: 0,
        'x-unit': 'd',
        description:
          'Days since the line was cleaned; null before the first time, and for guests unless `show_days_since_cleaning` is set.',
      }),
    ),
    cleaning_due: Nullable(
      Type.Enum(['soon', 'due', 'overdue'], {
        description: 'Whether a cleaning is due; null when none is, and for guests.',
      }),
    ),
    beverage: Nullable(
      Type.Object(
        {
          id: described(TextId, 'Id of the beverage, as text.'),
          name: text('Name of the beverage.'),
          producer: text('Name of its producer.'),
          style: Nullable(text('Style, such as `Pils`; null when unknown.')),
          abv: Nullable(
            Type.Number({ 'x-unit': '%', description: 'Alcohol by volume, per cent; null when unknown.' }),
          ),
          color_hex: text('Colour, `#rrggbb`.'),
          picture_url: Nullable(text('Address of its picture, 128 pixels square; null without one.')),
        },
        { description: 'The beverage in the keg; null without one.' },
      ),
    ),
    price: Nullable(
      Type.Object(
        {
          serving_ml: described(TotalMl, 'Volume of a serving, mL.'),
          price_minor: PriceMinor,
          currency: text('ISO 4217 code of the currency, such as `EUR`.'),
        },
        {
          description:
            'Price of the first serving size that has one; null without one, and while the line is closed.',
        },
      ),
    ),
    prices: Type.Array(ServingPriceJson, {
      description:
        'Prices of the beverage in the serving sizes that the tap offers; empty without any, and while the line is closed.',
    }),
    serving_size_ids: Type.Array(Id, {
      description:
        'Ids of the serving sizes that it offers, in the order of the menu; empty when it offers all.',
    }),
    next: Nullable(
      Type.Object(
        {
          keg_id: Nullable(
            described(Id, 'The keg that comes next; null if none of the beverage is in stock.'),
          ),
          name: text('Name of the beverage that comes next.'),
          producer: text('Name of its producer.'),
        },
        { description: 'What comes next on it; null when nothing was announced.' },
      ),
    ),
    temp_c: Nullable(described(TempC, 'Latest temperature of the tap’s sensor, °C; null without one.')),
    temp_time: Nullable(described(IsoSeconds, 'Time of that reading, UTC.')),
    temp_stale: flag('True when the thermo sensor has vanished, as `is_stale` of `GET /api/thermo-sensors`.'),
    pouring: Nullable(RunningPour),
  }),
);

export type LiveTap = Static<typeof LiveTap>;
