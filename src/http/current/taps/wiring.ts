import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine, TapView } from '../../../engine/engine.ts';
import { ProblemJson, problemJson } from '../../routes/problem-json.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import {
  Closed,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  TempC,
  TextId,
} from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import type { WiredMeter, WiredPart, WiredReader, WiredSensor, WiringFinding } from '../../wiring-ports.ts';

const Count = Type.Integer({ minimum: 0, description: 'Number of tokens presented since the start.' });

const UnreadableJson = Closed(
  {
    count: Type.Integer({
      minimum: 0,
      description: 'Lines and frames since the start that were no card, such as noise and wrong checksums.',
    }),
    last_time: Nullable({ ...IsoSeconds, description: 'UTC time of the latest; null without one.' }),
    last_text: Nullable(
      Type.String({
        maxLength: 64,
        description: 'The latest; `?` stands for characters that cannot be shown. Null without one.',
      }),
    ),
  },
  { description: 'What the reader sent that is no card.' },
);

const FindingJson = named(
  'WiringFinding',
  Closed(
    {
      topic: Type.String({ description: 'Stable name of the topic: `bounce`, `echo`, `never` …' }),
      status: Type.Enum(['ok', 'warn', 'fail', 'unknown'], {
        description: 'How serious it is; `unknown` cannot be tested.',
      }),
      text: Type.String({ description: 'What was observed, one sentence.' }),
      advice: Maybe(Type.String({ description: 'What to do.' })),
      problem: Maybe(ProblemJson),
    },
    { description: 'A finding about the wiring.' },
  ),
);

const part = {
  name: Type.String({ description: 'Full name of the part, such as `pi.flow0`.' }),
  findings: Type.Array(FindingJson, { description: 'The most serious first.' }),
};

const PartJson = named('WiredPart', Closed(part, { description: 'The wiring of another part.' }));

const MeterJson = named(
  'WiredMeter',
  Closed(
    {
      ...part,
      flow_meter_id: Nullable(
        Type.Integer({
          minimum: 1,
          description: 'Id of the flow meter; null when it is not in the database yet.',
        }),
      ),
      tap_id: Nullable({ ...TextId, description: 'Id of its tap, as text; null without one.' }),
      pin: Nullable(Type.Integer({ minimum: 0, description: 'GPIO line; null on a serial board.' })),
      header_pin: Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 40,
          description: 'Pin of the header with that line; null when unknown.',
        }),
      ),
      level: Nullable(
        Type.Enum([0, 1], { description: 'Level of the line now; null when it cannot be read.' }),
      ),
      hz: Nullable(
        Type.Integer({
          minimum: 0,
          'x-unit': 'Hz',
          description: 'Edges in the last second; null in the first answer.',
        }),
      ),
      ticks: Type.Integer({ minimum: 0, 'x-unit': 'ticks', description: 'Ticks counted since the start.' }),
      refused: Type.Integer({ minimum: 0, description: 'Edges rejected as bounce since the start.' }),
      lost: Nullable(
        Type.Integer({
          minimum: 0,
          'x-unit': 'edges',
          description: 'Edges known to be lost; null when it cannot be known.',
        }),
      ),
      shape: Type.Enum(['quiet', 'few', 'steady', 'bounce', 'stray'], {
        description: 'Pattern of the edges in the last ten seconds; `stray`: irregular.',
      }),
      echo_of: Nullable(Type.String({ description: 'The meter whose pulses are coupled into this cable.' })),
    },
    { description: 'The wiring of a flow meter.' },
  ),
);

const SensorJson = named(
  'WiredProbe',
  Closed(
    {
      ...part,
      tap_id: Nullable({ ...TextId, description: 'Id of a tap that has it, as text; null without one.' }),
      temp_c: Nullable({ ...TempC, description: 'Last valid reading in degrees Celsius; null without one.' }),
      time: Nullable({ ...IsoSeconds, description: 'UTC time of that reading; null without one.' }),
    },
    { description: 'The wiring of a thermo sensor.' },
  ),
);

const WiringJson = named(
  'Wiring',
  Closed(
    {
      driver: Type.String({ description: 'GPIO driver, as in the setting `gpio.driver`, or `none`.' }),
      description: Type.Array(ProblemJson, {
        description:
          'What the driver uses and can prove: one text for each group of lines that were opened together.',
      }),
      findings: Type.Array(FindingJson, { description: 'Findings about the machine as a whole.' }),
      meters: Type.Array(MeterJson, { description: 'Flow meters of this machine and its serial boards.' }),
      relays: Type.Array(PartJson, { description: 'Relays that open valves.' }),
      probes: Type.Array(SensorJson, { description: 'Thermo sensors.' }),
      boards: Type.Array(PartJson, { description: 'Serial boards.' }),
      readers: Type.Array(
        named(
          'WiredReader',
          Closed({ ...part, shown: Count, unreadable: UnreadableJson }, { description: 'A token reader.' }),
        ),
        {
          description: 'Token readers.',
        },
      ),
    },
    { description: 'The state of all wiring.' },
  ),
);

/** Live state of the wiring of this machine, with findings and advice. */
export const wiringRoutes = ({ wiring }: Pick<RouteServices, 'wiring'>): readonly Route[] => [
  defineRoute({
    id: 'getWiring',
    method: 'get',
    path: '/admin/wiring',
    summary:
      'Get the state of all wiring. Rates and patterns are included when the last request was less than five seconds ago; poll at most twice a second',
    description:
      'For finding faults: levels, rates and patterns of the pins, relays, sensors, boards and readers of this ' +
      'machine, each with findings and advice, the most serious first. Answers from memory.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ wiring: WiringJson }) },
    run({ engine }) {
      const { driver, description, findings, meters, relays, probes, boards, readers } = wiring.snapshot();
      const taps = engine.taps.list();
      return {
        wiring: {
          driver,
          description: description.map(problemJson),
          findings: findings.map(findingJson),
          meters: meters.map(toMeterJson(engine, taps)),
          relays: relays.map(partJson),
          probes: probes.map(toSensorJson(taps)),
          boards: boards.map(partJson),
          readers: readers.map(readerJson),
        },
      };
    },
  }),
];

const findingJson = ({
  topic,
  status,
  text,
  advice,
  problem,
}: WiringFinding): Static<typeof FindingJson> => ({
  topic,
  status,
  text,
  ...omitUndefined({ advice, problem: problem && problemJson(problem) }),
});

const readerJson = ({ shown, unreadable: { count, timeMs, text }, ...reader }: WiredReader) => ({
  ...partJson(reader),
  shown,
  unreadable: { count, last_time: timeMs === null ? null : isoSeconds(timeMs), last_text: text },
});

const partJson = ({ name, findings }: WiredPart) => ({ name, findings: findings.map(findingJson) });

function toMeterJson(engine: Engine, taps: readonly TapView[]) {
  const meterIds = new Map(engine.taps.hardware.meters().map((meter) => [meter.name, meter.id]));
  return (wired: WiredMeter): Static<typeof MeterJson> => {
    const { meter, pin, headerPin, level, hz, ticks, refused, lost, shape, echoOf, findings } = wired;
    return {
      ...partJson({ name: meter, findings }),
      flow_meter_id: meterIds.get(meter) ?? null,
      tap_id: tapId(taps.find(({ tap }) => tap.meter?.name === meter)),
      pin,
      header_pin: headerPin,
      level,
      hz,
      ticks,
      refused,
      lost,
      shape,
      echo_of: echoOf,
    };
  };
}

const toSensorJson =
  (taps: readonly TapView[]) =>
  ({ name, findings, tempC, timeMs }: WiredSensor): Static<typeof SensorJson> => ({
    ...partJson({ name, findings }),
    tap_id: tapId(taps.find(({ tap }) => tap.thermoSensor?.rawName === name)),
    temp_c: tempC,
    time: timeMs === null ? null : isoSeconds(timeMs),
  });

const tapId = (view: TapView | undefined): string | null => (view === undefined ? null : String(view.tap.id));
