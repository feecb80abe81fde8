import type { Problem } from '../health/problems.ts';

/** Kinds of values that the texts of an alarm contain; each is formatted for the reader (units, language). */
interface AlarmValueTypes {
  readonly text: string;
  readonly number: number;
  /** °C. */
  readonly temperature: number;
  /** A difference of two temperatures, °C. */
  readonly temperatureRise: number;
  /** Millilitres. */
  readonly volume: number;
  /** Shown as the time of day, Unix milliseconds. */
  readonly timeOfDay: number;
  /** Name of a health part. */
  readonly healthPart: string;
  readonly problems: readonly Problem[];
}

export type AlarmValueType = keyof AlarmValueTypes;

export interface AlarmDeclaration {
  /** `high`: beer or safety is at stake now. `low`: it can wait for the next visit. */
  readonly urgency: 'high' | 'low';
  /** Is sent during quiet hours, too. */
  readonly breaksQuietHours: boolean;
  /** Alarms of one group that are raised together have one cause and are reported in one message. */
  readonly group: string;
  /** What the API says about the switch of a user. */
  readonly description: string;
  /** Names and types of the placeholders in its texts. */
  readonly values: Readonly<Record<string, AlarmValueType>>;
}

/**
 * Kinds of alarms by name. Each needs the texts `alarms.kinds.<kind>` and `mails.<kind>.subject`, `.text` and `.advice` in every
 * catalogue, and something that finds its conditions.
 */
export type AlarmDeclarations = Readonly<Record<string, AlarmDeclaration>>;

/** The values of a kind's texts; stored as JSON until they are sent. */
export type AlarmValues<Declared extends AlarmDeclaration> = {
  readonly [Name in keyof Declared['values']]: AlarmValueTypes[Declared['values'][Name]];
};

/** The kinds of the base; their detectors are in `services/monitors/conditions`. */
export const baseAlarms = {
  too_warm: {
    urgency: 'high',
    breaksQuietHours: true,
    group: 'cooling',
    description: 'A tap’s temperature was above the alarm limit for the configured time.',
    values: { sensor: 'text', tempC: 'temperature', limitC: 'temperature' },
  },
  warming_fast: {
    urgency: 'high',
    breaksQuietHours: true,
    group: 'cooling',
    description:
      'A tap’s temperature rose by 2 °C or more within 20 minutes, and faster than usual for the sensor.',
    values: { sensor: 'text', tempC: 'temperature', riseC: 'temperatureRise' },
  },
  keg_runs_dry: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'kegs',
    description:
      'A keg will be empty before the bar closes today, or within six hours where it has no opening hours.',
    values: { tap: 'text', beer: 'text', remainMl: 'volume', emptyMs: 'timeOfDay' },
  },
  tap_unused: {
    urgency: 'high',
    breaksQuietHours: false,
    group: 'taps',
    description: 'A tap that always pours at this time of the week does not, although others do.',
    values: { tap: 'text', hours: 'number' },
  },
  line_flow: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'taps',
    description:
      'The flow of a tap differed from its usual one on two evenings: gas, line, valve, beer or meter.',
    values: { tap: 'text', finding: 'text' },
  },
  meter_drifts: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'taps',
    description:
      'A flow meter counts more or less per litre than it did, by several emptied kegs or measured pours, or by one that differs by more than 10 %.',
    // The names that the texts choose by: `direction` is `high` or `low`, `cause` one of the likely causes.
    values: { meter: 'text', tap: 'text', direction: 'text', cause: 'text' },
  },
  system_problem: {
    urgency: 'high',
    // Beer that runs through a closed valve is among them.
    breaksQuietHours: true,
    group: 'power',
    description: 'Problems with disk, power, counting, backups or valves.',
    values: { part: 'healthPart', problems: 'problems' },
  },
  undervoltage: {
    urgency: 'high',
    breaksQuietHours: false,
    group: 'power',
    description: 'The supply voltage of the machine was too low for several seconds.',
    values: { drops: 'number' },
  },
  clock_unset: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'power',
    description: 'The time of the machine was not set 20 minutes after its start.',
    values: { minutes: 'number' },
  },
  card_wears_out: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'disk',
    description: 'The card or disk with the data lasts less than six months at the present rate of writing.',
    values: { disk: 'text', usedPercent: 'number', months: 'number' },
  },
  backup_old: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'backups',
    description: 'The newest nightly backup is older than two days although none failed.',
    values: { days: 'number' },
  },
} as const satisfies AlarmDeclarations;

/** The kinds of the base and of all extensions, also of those that are off: what they raised is still listed. */
export interface AlarmKinds {
  /** In the order in which people see them: those of one group together. */
  readonly names: readonly string[];
  /** Null for a name of no kind; a database of another program version may hold such. */
  find(name: string): AlarmDeclaration | null;
}

/** Joins the kinds of the base with those of extensions. Throws for a kind that is declared twice. */
export function joinAlarmKinds(extensions: readonly { readonly alarms?: AlarmDeclarations }[]): AlarmKinds {
  const joined = Object.entries<AlarmDeclaration>(baseAlarms);
  for (const { alarms = {} } of extensions) {
    for (const entry of Object.entries(alarms)) {
      const [name, { group }] = entry;
      if (joined.some(([other]) => other === name))
        throw new Error(`The kind of alarm ${name} is declared twice.`);
      const last = joined.findLastIndex(([, other]) => other.group === group);
      joined.splice(last === -1 ? joined.length : last + 1, 0, entry);
    }
  }
  const byName: ReadonlyMap<string, AlarmDeclaration> = new Map(joined);
  return { names: [...byName.keys()], find: (name) => byName.get(name) ?? null };
}
