import Type, { type Static } from 'typebox';
import { ProblemJson } from '../routes/problem-json.ts';
import { Id, IsoSeconds, Nullable, named, TextId, Ticks, TotalMl } from '../routes/schemas.ts';
import { servingFields } from '../routes/serving-price.ts';
import { described, flag, pourId, runningMl, text, timeCertain } from './shape-parts.ts';
import { LiveTap } from './tap-shape.ts';

export { LiveTap } from './tap-shape.ts';

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

export type LiveDrink = Static<typeof LiveDrink>;
export type SnapshotMessage = Static<typeof SnapshotMessage>;
export type PourMessage = Static<typeof PourMessage>;
