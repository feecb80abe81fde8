import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine, TapView } from '../../../engine/engine.ts';
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

const Count = Type.Integer({ minimum: 0 });

const FindingJson = named(
  'WiringFinding',
  Closed({
    topic: Type.String({ description: 'Stable name of the topic: `bounce`, `echo`, `never` …' }),
    status: Type.Enum(['ok', 'warn', 'fail', 'unknown']),
    text: Type.String(),
    advice: Maybe(Type.String({ description: 'What to do.' })),
  }),
);

const part = {
  name: Type.String(),
  findings: Type.Array(FindingJson),
};

const MeterJson = named(
  'WiredMeter',
  Closed({
    ...part,
    flow_meter_id: Nullable(Type.Integer({ description: 'Null when the meter is not in the database yet.' })),
    tap_id: Nullable(TextId),
    pin: Nullable(Type.Integer({ description: 'GPIO line; null on a serial board.' })),
    header_pin: Nullable(Type.Integer()),
    level: Nullable(Type.Enum([0, 1])),
    hz: Nullable(
      Type.Integer({ 'x-unit': 'Hz', description: 'Edges in the last second; null in the first answer.' }),
    ),
    ticks: Type.Integer({ minimum: 0, description: 'Ticks counted since the start.' }),
    refused: Type.Integer({ minimum: 0, description: 'Edges rejected as bounce since the start.' }),
    lost: Nullable(Type.Integer({ description: 'Edges known to be lost; null when it cannot be known.' })),
    shape: Type.Enum(['quiet', 'few', 'steady', 'bounce', 'stray'], {
      description: 'Pattern of the edges in the last ten seconds; `stray`: irregular.',
    }),
    echo_of: Nullable(Type.String({ description: 'The meter whose pulses are coupled into this cable.' })),
  }),
);

const SensorJson = named(
  'WiredProbe',
  Closed({ ...part, tap_id: Nullable(TextId), temp_c: Nullable(TempC), time: Nullable(IsoSeconds) }),
);

const WiringJson = named(
  'Wiring',
  Closed({
    driver: Type.String({ description: '`cdev`, `onoff`, `pigpio`, `simulated` or `none`.' }),
    describe: Type.String(),
    findings: Type.Array(FindingJson),
    meters: Type.Array(MeterJson),
    relays: Type.Array(named('WiredPart', Closed(part))),
    probes: Type.Array(SensorJson),
    boards: Type.Array(Closed(part)),
    readers: Type.Array(named('WiredReader', Closed({ ...part, shown: Count }))),
  }),
);

/** Live state of the wiring of this machine, with findings and advice. */
export const wiringRoutes = ({ wiring }: Pick<RouteServices, 'wiring'>): readonly Route[] => [
  defineRoute({
    id: 'getWiring',
    method: 'get',
    path: '/admin/wiring',
    summary:
      'Get the state of all wiring. Rates and patterns are included when the last request was less than five seconds ago; poll at most twice a second',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ wiring: WiringJson }) },
    run({ engine }) {
      const { driver, describe, findings, meters, relays, probes, boards, readers } = wiring.snapshot();
      const taps = engine.taps.list();
      return {
        wiring: {
          driver,
          describe,
          findings: findings.map(findingJson),
          meters: meters.map(toMeterJson(engine, taps)),
          relays: relays.map(partJson),
          probes: probes.map(toSensorJson(taps)),
          boards: boards.map(partJson),
          readers: readers.map((reader: WiredReader) => ({ ...partJson(reader), shown: reader.shown })),
        },
      };
    },
  }),
];

const findingJson = ({ topic, status, text, advice }: WiringFinding): Static<typeof FindingJson> => ({
  topic,
  status,
  text,
  ...omitUndefined({ advice }),
});

const partJson = ({ name, findings }: WiredPart) => ({ name, findings: findings.map(findingJson) });

function toMeterJson(engine: Engine, taps: readonly TapView[]) {
  const meterIds = new Map(engine.hardware.meters().map((meter) => [meter.name, meter.id]));
  return (wired: WiredMeter): Static<typeof MeterJson> => {
    const { meter, pin, headerPin, level, hz, ticks, refused, lost, shape, echoOf, findings } = wired;
    return {
      ...partJson({ name: meter, findings }),
      flow_meter_id: meterIds.get(meter) ?? null,
      tap_id: tapId(taps.find(({ tap }) => tap.meter?.name === meter)),
      ...{ pin, header_pin: headerPin, level, hz, ticks, refused, lost, shape, echo_of: echoOf },
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
