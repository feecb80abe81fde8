import Type, { type Static, type TSchema } from 'typebox';
import type { TapState as TapStateName } from '../../../core/taps/tap-state.ts';

const text = (description: string) => Type.String({ description });
const iso = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string) => Type.Integer({ minimum: 1, description });
const ml = (description: string) => Type.Number({ description: `${description} Millilitres.` });
const litres = (description: string) => Type.Number({ description: `${description} Litres.` });
const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const payload = <P extends Record<string, TSchema>>(properties: P, description: string) =>
  Type.Object(properties, { description });

/** Who drank it; absent unless names are published. */
const user = Type.Optional(
  nullable(text('Username of who drank it; null for nobody. Only where `publish_names` is true.')),
);

const Beverage = payload(
  {
    name: text('Name of the beverage.'),
    producer: text('Name of its producer.'),
    style: nullable(text('Its style; null when unknown.')),
    abv_percent: nullable(Type.Number({ description: 'Alcohol by volume, per cent; null when unknown.' })),
    picture_url: nullable(
      text('Address of its picture; null without one, or while the site’s address is not set.'),
    ),
  },
  'A beverage.',
);

/** Named here, so that the schemas of a document load no other file. */
export const tapStateNames = Object.keys({
  cleaning: true,
  blocked: true,
  pouring: true,
  empty: true,
  no_meter: true,
  held: true,
  serving: true,
} satisfies Record<TapStateName, true>) as readonly TapStateName[];

/** `taps/<id>/state`, retained. */
export const TapState = payload(
  {
    id: id('Id of the tap, as in topics.'),
    name: text('Name of the tap.'),
    number: Type.Integer({ description: 'Number of the tap for guests.' }),
    state: Type.Enum([...tapStateNames], {
      description:
        'The first that applies: `cleaning` and `blocked`: nobody may drink what comes out, because its line is being cleaned, or a ' +
        'cleaning ended by itself or failed its check; `pouring`; `empty`: no keg; `no_meter`; `held`: a pour waits for review; ' +
        '`serving`.',
    }),
    keg_id: nullable(id('Id of the keg on it; null without one.')),
    remaining_l: nullable(litres('What is left in the keg.')),
    full_l: nullable(litres('Volume of the full keg.')),
    percent: nullable(Type.Number({ description: 'What is left, per cent of the full keg.' })),
    beverage: nullable(Beverage),
    next: nullable(payload({ name: text('Its name.'), producer: text('Its producer.') }, 'What comes next.')),
    pouring: Type.Boolean({ description: 'True while beer flows.' }),
    valve: nullable(Type.Enum(['open', 'closed'], { description: 'State of the valve; null without one.' })),
    temperature_c: nullable(
      Type.Number({
        description:
          'Latest temperature, °C; null without one, and while its sensor has vanished (`is_stale` of `GET /api/thermo-sensors`).',
      }),
    ),
    total_l: litres('Sum of all pours of the tap.'),
    last_pour: nullable(
      payload(
        {
          drink_id: id('Id of the drink.'),
          ml: ml('Its volume.'),
          time: iso('End of the pour.'),
          user,
        },
        'The last pour.',
      ),
    ),
  },
  'State of a tap; retained, published again after each change.',
);

/** `session`, retained. */
export const SessionState = payload(
  {
    active: Type.Boolean({ description: 'True while a session runs.' }),
    id: nullable(id('Id of the session.')),
    name: nullable(text('Name of the session.')),
    start: nullable(iso('Its first pour.')),
    volume_l: nullable(litres('What was poured in it.')),
  },
  'The running session; retained.',
);

/** `state`, retained. */
export const MachineState = payload(
  {
    site: text('Name of the bar.'),
    version: text('Version of Tapster.'),
    healthy: Type.Boolean({ description: 'False while anything does not work.' }),
    problems: Type.Array(text('In English: what does not work and what to do.'), {
      description: 'The present problems.',
    }),
    held_pours: Type.Integer({ description: 'Pours that wait for review.' }),
    ticks_lost: Type.Integer({ description: 'Ticks known to be missed since the start.' }),
    last_backup: nullable(iso('The newest nightly backup; null when none is known.')),
    written_gb: nullable(
      Type.Number({ description: 'Written to the disk since the start, GB; null when unknown.' }),
    ),
    storage_wear_percent: nullable(
      Type.Number({
        description:
          'Used part of the life of the disk: from its register (eMMC), else estimated from what was written; null when unknown.',
      }),
    ),
    latest_version: nullable(
      text('The newest version that the update check knows, else the running one; null for a checkout.'),
    ),
    clock_set: Type.Boolean({ description: 'False while the clock is not set.' }),
  },
  'State of the machine; retained.',
);

/** `taps/<id>/live`. */
export const LivePour = payload(
  {
    pour_id: text('Id of the pour, also that of its drink.'),
    state: Type.Enum(['flowing', 'ended'], { description: '`ended` with the last message of a pour.' }),
    ticks: Type.Integer({ minimum: 0, description: 'Ticks so far.' }),
    ml: ml('Volume so far, with the present calibration.'),
  },
  'A running pour; QoS 0, at most twice a second.',
);

export const eventKinds = [
  'drink_poured',
  'session_started',
  'session_joined',
  'session_merged',
  'keg_tapped',
  'keg_ended',
  'keg_volume_low',
  'pour_held',
  'spill_recorded',
  'corrected',
  'correction_undone',
  'alarm_raised',
  'alarm_acknowledged',
  'alarm_resolved',
] as const;

/** `taps/<id>/event` and `event`, QoS 1. */
export const EventPayload = payload(
  {
    id: Type.String({
      pattern: '^[0-9a-f]{32}$',
      description:
        'The event’s id, the same at every repetition: an event may arrive more than once, so ignore an id that was seen.',
    }),
    kind: Type.Enum([...eventKinds], { description: 'What happened.' }),
    time: iso('When it happened; for alarms, when it was raised.'),
    tap_id: nullable(id('The tap; null where it is of no tap, or the tap is gone.')),
    drink: Type.Optional(
      payload(
        {
          id: id('Id of the drink.'),
          ml: ml('Its volume.'),
          time: iso('End of the pour.'),
          duration_s: Type.Number({ description: 'Duration of the pour, seconds.' }),
          user,
        },
        'The drink as it is now; absent when it was deleted.',
      ),
    ),
    keg: Type.Optional(
      payload(
        {
          id: id('Id of the keg.'),
          remaining_l: litres('What is left in it.'),
          percent: Type.Number({ description: 'What is left, per cent.' }),
          beverage: nullable(Beverage),
        },
        'The keg as it is now.',
      ),
    ),
    session_id: Type.Optional(id('The session.')),
    merged_session_id: Type.Optional(id('Of `session_merged`: the session that is part of it now.')),
    held_reason: Type.Optional(text('Why the pour is held.')),
    spill: Type.Optional(payload({ id: id('Id of the spill.'), ml: ml('Its volume.') }, 'The spill.')),
    correction: Type.Optional(
      payload(
        {
          id: id('Id of the entry in the audit log.'),
          action: text('What was done, such as `drink.moved`.'),
          subject_kind: text('What was corrected, such as `drink`.'),
          subject_id: text('Its id.'),
        },
        'The correction: read the drinks and kegs again.',
      ),
    ),
    alarm: Type.Optional(
      payload(
        {
          id: Type.Integer({
            minimum: 0,
            description: 'Id of the alarm, the same from its start to its end.',
          }),
          kind: text('Kind of the alarm.'),
          subject: text('What it is about.'),
        },
        'The alarm.',
      ),
    ),
  },
  'An event; at least once and in order, also those of a time when the broker was away.',
);

const commandOf = (actions: readonly string[], more: Record<string, TSchema> = {}) =>
  Type.Object(
    {
      id: Type.String({
        pattern: '^[\\w.:-]{1,64}$',
        description: 'Id of the command; a second one with it is refused.',
      }),
      time: iso('When it was sent; refused when that is more than 10 s ago.'),
      action: Type.Enum([...actions], { description: 'What to do.' }),
      reason: Type.Optional(Type.String({ maxLength: 200, description: 'For the audit log.' })),
      ...more,
    },
    { additionalProperties: false, description: 'A command, where the settings permit it; never retained.' },
  );

/** `taps/<id>/valve/set`; also plain `OPEN` and `CLOSE`. */
export const ValveCommand = commandOf(['open', 'close'], {
  ml: Type.Optional(
    Type.Number({ minimum: 1, description: 'Volume after which it closes; at most `valve_ml`.' }),
  ),
  seconds: Type.Optional(
    Type.Number({ minimum: 1, description: 'Time after which it closes; at most `valve_s`.' }),
  ),
});

/** `taps/<id>/keg/set`; also plain `EMPTY` and `NEXT`. */
export const KegCommand = commandOf(['empty', 'next']);

/** `valves/set`; also plain `CLOSE_ALL`. */
export const ValvesCommand = commandOf(['close_all']);

/** `taps/<id>/valve/result`, `taps/<id>/keg/result` and `valves/result`. */
export const CommandResult = payload(
  {
    id: nullable(text('Id of the command; null for a plain one.')),
    action: nullable(text('What was asked for; null when it could not be read.')),
    ok: Type.Boolean({ description: 'True when it was carried out.' }),
    code: text('`done`, or why it was refused, such as `late`, `repeated`, `retained`, `not_allowed`.'),
    text: text('In English: what was done, or why not.'),
  },
  'The result of a command; QoS 1.',
);

export type TapStatePayload = Static<typeof TapState>;
export type SessionStatePayload = Static<typeof SessionState>;
export type MachineStatePayload = Static<typeof MachineState>;
export type EventPayloadBody = Static<typeof EventPayload>;
export type BeveragePayload = Static<typeof Beverage>;

/** The JSON payloads by topic below `<prefix>/<site>/`. */
export const payloadSchemas = {
  state: MachineState,
  session: SessionState,
  event: EventPayload,
  'taps/{id}/state': TapState,
  'taps/{id}/event': EventPayload,
  'taps/{id}/live': LivePour,
  'taps/{id}/valve/set': ValveCommand,
  'taps/{id}/valve/result': CommandResult,
  'taps/{id}/keg/set': KegCommand,
  'taps/{id}/keg/result': CommandResult,
  'valves/set': ValvesCommand,
  'valves/result': CommandResult,
} as const;
