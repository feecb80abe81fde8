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
import { PriceMinor, ServingPriceJson, servingFields } from '../routes/serving-price.ts';
import { RestingTapStateJson } from '../routes/tap-state.ts';

const text = (description: string) => Type.String({ description });
const flag = (description: string) => Type.Boolean({ description });

/** An id, a time or a volume that says what it is of. */
const described = <S extends Type.TSchema>(schema: S, description: string): S => ({ ...schema, description });

const pourId = text('Id of the pour, also that of its drink’s `pour_id`.');
const timeCertain = flag('False when the clock was not set during the pour.');
const runningMl = described(TotalMl, 'Volume so far, mL, with the meter’s present calibration.');

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

/** A drink in the page's list. */
export const LiveDrink = named(
  'LiveDrink',
  Type.Object({
    id: Id,
    tap_id: Nullable(described(TextId, 'Id of the tap; null when it was deleted or the drink has none.')),
    tap_name: Nullable(text('Name of the tap; null when it was deleted or the drink has none.')),
    beverage_name: Nullable(text('Name of the beverage; null without a keg.')),
    user_id: Nullable(text('Username of who drank it; null for nobody.')),
    volume_ml: TotalMl,
    pour_time: described(IsoSeconds, 'End of the pour, UTC.'),
    time_certain: timeCertain,
    recovered: flag('True when the pour was finished after a power cut.'),
    flow_while_shut: flag('True when beer flowed although the tap’s valve was shut.'),
  }),
);

/** Event `snapshot`: the full state; sent first, and again when anything but a running pour changes. */
export const SnapshotMessage = named(
  'LiveSnapshot',
  Type.Object({
    title: text('Name of the bar.'),
    address: Nullable(text('Address of the page for a phone; null if only the daemon’s machine reaches it.')),
    menu_url: Nullable(
      text('Address at which guests read the published menu; null while none is published.'),
    ),
    logo_url: Nullable(
      text('Address of the site’s logo, at most 1024 pixels wide and high; null without one.'),
    ),
    background_url: Nullable(
      text('Address of the background picture, at most 1024 pixels wide and high; null without one.'),
    ),
    allergen_note: text('Note about allergens below the menu for guests; empty for none.'),
    prices_now: Nullable(
      Type.Object(
        { name: text('Name of the schedule.'), until: described(IsoSeconds, 'When it ends, UTC.') },
        {
          description:
            'The price schedule that holds now, such as a happy hour; null for the ordinary prices.',
        },
      ),
    ),
    opening_hours: text('Opening hours such as `16:00-02:00`, in the site’s time zone; empty when not set.'),
    volume_units: Type.Enum(['metric', 'us', 'uk'], {
      description: 'Units in which volumes are shown: litres, US ounces and pints, or UK pints.',
    }),
    temperature_units: Type.Enum(['c', 'f'], { description: 'Scale in which temperatures are shown.' }),
    region: Nullable(
      text('Country of the bar from its `locale`, ISO 3166, such as `CH`; null when it is not set.'),
    ),
    time_zone: text('IANA name of the site’s time zone, such as `Europe/Berlin`.'),
    keg_low_share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of a keg, 0 to 1, at which staff should prepare the next one.',
    }),
    taps: Type.Array(LiveTap, { description: 'All taps in the order of the page.' }),
    serving_sizes: Type.Array(
      Type.Object(
        { id: described(Id, 'Id of the size.'), ...servingFields },
        { description: 'A size in which the site sells drinks.' },
      ),
      { description: 'The sizes in which the site sells drinks, in the order of the menu.' },
    ),
    drinks: Type.Array(LiveDrink, { description: 'The latest drinks, newest first.' }),
    newest_drink_id: Type.Integer({
      minimum: 0,
      description:
        'Id of the drink recorded last, 0 without drinks. One that arrived late may not be among `drinks`.',
    }),
    held: Type.Integer({ minimum: 0, description: 'Number of pours held for review.' }),
    cleaning_questions: Type.Integer({
      minimum: 0,
      description: 'Number of times that pours look like a cleaning and nobody has answered; 0 for guests.',
    }),
    show_days_since_cleaning: flag('True when guests see how long ago each line was cleaned.'),
    alarms: Type.Integer({
      minimum: 0,
      description: 'Number of open alarms that nobody has acknowledged; 0 for guests and members.',
    }),
    simulated: flag('True with the simulated driver; the page then offers to pour.'),
    clock_synced: flag('False until the clock is set after a start without network.'),
    problems: Type.Array(
      named(
        'LivePartProblems',
        Type.Object({
          part: text('A part of the daemon that does not work: `disk`, `power`, …'),
          problems: Type.Array(ProblemJson, { description: 'What does not work, and what to do.' }),
        }),
      ),
      { description: 'What staff should know of; empty without problems.' },
    ),
  }),
);

/** Event `pour`: the odometer of one tap, at most one message per tap and 50 ms. */
export const PourMessage = named(
  'LivePour',
  Type.Object({
    tap_id: TextId,
    pour_id: pourId,
    state: Type.Enum(['started', 'flowing', 'ended', 'dripped'], {
      description: 'First tick; more ticks; the pour has ended; it ended with too few ticks to be a drink.',
    }),
    ticks: Ticks,
    volume_ml: runningMl,
  }),
);

export type LiveTap = Static<typeof LiveTap>;
export type LiveDrink = Static<typeof LiveDrink>;
export type SnapshotMessage = Static<typeof SnapshotMessage>;
export type PourMessage = Static<typeof PourMessage>;
