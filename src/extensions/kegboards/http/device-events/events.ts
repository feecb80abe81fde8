import Type, { type Static } from 'typebox';
import { removeHiddenCharacters } from '../../../../core/text/text-rules.ts';
import { toPourId } from '../../../../engine/engine.ts';
import { mismatchedFields, schemaMismatch } from '../../../../http/pipeline/validate.ts';
import { Maybe, Open } from '../../../../http/routes/schemas.ts';
import type { KegboardEvent, KegboardReport } from '../../engine/kegboard-batch.ts';
import type { WireEvent } from './envelope.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Milliseconds = (description: string) => Type.Integer({ minimum: 0, 'x-unit': 'ms', description });
const MeterNumber = Type.Integer({
  minimum: 0,
  maximum: 999_999_999,
  description: 'Number of the meter on this kegboard; meter 0 is `<kegboard>.flow0`.',
});
const Text = (description: string) => Type.String({ minLength: 1, description });
const Id = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });
const pourId = Id('Name of the pour, the same in its `pour_update`s; recorded once.');
const grantId = Id('The grant that covered it.');
const duration = Milliseconds('From the first tick to the last, milliseconds.');

const Pour = Open({
  meter_number: MeterNumber,
  pour_id: pourId,
  volume_ml: Type.Number({ exclusiveMinimum: 0, 'x-unit': 'mL', description: 'Volume of the pour, mL.' }),
  duration_ms: duration,
});
/** Optional fields of a pour; an invalid one is ignored so that the pour is not lost. */
const PourExtras = {
  grant_id: grantId,
  auth_device: Text('Reader of the token that opened the tap, such as `core.rfid`.'),
  auth_token: Text('Value of that token.'),
  ticks: Count(
    'Ticks counted; the volume is computed from them only once the factor of the meter was measured or learned here.',
  ),
  tick_series: Type.String({
    maxLength: 8_192,
    description: 'Ticks over time, `offset_ms:ticks` separated by blanks.',
  }),
};
const PourUpdate = Open({
  meter_number: MeterNumber,
  pour_id: pourId,
  volume_ml: Type.Number({ minimum: 0, 'x-unit': 'mL', description: 'Volume so far, mL.' }),
  duration_ms: duration,
});
const Temperature = Open({
  sensor: Text('Name of the sensor on this kegboard.'),
  temp_c: Type.Number({
    'x-unit': '°C',
    description: 'Temperature in °C, from −50 to 125; others are ignored.',
  }),
});
const Token = Open({
  auth_device: Text('The reader, such as `core.rfid`.'),
  token: Text('Value of the token, hexadecimal in lower case.'),
  action: Type.Enum(['attached', 'detached'], {
    description: '`attached` asks whether the tap may open: the reply has `authorize` or `deny`.',
  }),
});
const Status = Open({
  state: Type.Enum(['boot', 'heartbeat'], { description: '`boot` is the first one after power-on.' }),
  fw_version: Type.String({ description: 'Version of the kegboard’s program.' }),
  uptime_ms: Milliseconds('Time since the boot, milliseconds.'),
  events_dropped: Count('Events lost since the kegboard was made, since its queue was full.'),
  config: Type.Object({}, { description: 'Settings of the kegboard, such as `heartbeat_ms`.' }),
});
const Port = Open({
  meter_number: MeterNumber,
  ml_per_tick: Type.Number({
    exclusiveMinimum: 0,
    'x-unit': 'mL',
    description: 'Volume of a tick, mL: the kegboard’s own calibration, which the meter takes over.',
  }),
});
const Relay = Open({
  relay_number: { ...MeterNumber, description: 'Number of the relay; relay 0 is `<kegboard>.relay0`.' },
});
const CommandResult = Open({
  command: Text('Id of the command.'),
  result: Type.Enum(['ok', 'error', 'unsupported'], { description: 'What became of it.' }),
});
const GrantEnd = Open({
  grant_id: grantId,
  reason: Type.Enum(['max_volume', 'max_duration', 'max_idle', 'detach', 'command', 'replaced'], {
    description:
      'Why the grant ended: volume, time or idle limit; the token left; `deauthorize`; a newer grant took the meter.',
  }),
});
const Rssi = Type.Integer({
  minimum: -1_000,
  maximum: 1_000,
  description: 'Signal strength of the Wi-Fi, dBm.',
});

/** The data of each kind of event with the optional fields that are read, for the OpenAPI document. */
export const eventData: Readonly<Record<string, Type.TObject>> = {
  pour: withOptional(Pour, PourExtras),
  pour_update: PourUpdate,
  temperature: Temperature,
  token: Token,
  status: withOptional(Status, {
    wifi_rssi_dbm: Rssi,
    meters: Type.Array(Port, { description: 'All meters of the kegboard.' }),
    relays: Type.Array(Relay, { description: 'All relays of the kegboard.' }),
  }),
  command_result: withOptional(CommandResult, {
    message: Type.String({ description: 'What went wrong; cut after 200 characters.' }),
  }),
  grant_end: GrantEnd,
};

function withOptional(schema: Type.TObject, optional: Type.TProperties): Type.TObject {
  const properties = Object.entries(optional).map(([name, one]) => [name, Maybe(one)] as const);
  return Open({ ...schema.properties, ...Object.fromEntries(properties) });
}

type Data = Readonly<Record<string, unknown>>;

/** Ports read from one inventory; further ones are ignored. */
const maxPorts = 64;

/** Parses one event of an envelope; an invalid one becomes `unusable` with the reason. */
export function readEvent(event: WireEvent): KegboardEvent {
  const { id, age_ms: ageMs, type } = event;
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  const report = reader === undefined ? ({ kind: 'ignored' } as const) : reader(event.data as Data, event);
  return { id, ageMs, report };
}

type Reader = (data: Data, event: WireEvent) => KegboardReport;

const createReader =
  <S extends Type.TSchema>(
    schema: S,
    report: (data: Static<S> & Data, event: WireEvent) => KegboardReport,
  ): Reader =>
  (data, event) => {
    const fault = schemaMismatch(schema, data);
    if (fault === null) return report(data as Static<S> & Data, event);
    const fields = mismatchedFields(schema, data);
    return { kind: 'unusable', type: event.type, reason: fault, fields, raw: toRawText(event) };
  };

const readers: Readonly<Record<string, Reader>> = {
  pour: createReader(Pour, (data, event) => ({
    kind: 'pour',
    meterNumber: data.meter_number,
    pourId: toPourId(data.pour_id),
    volumeMl: data.volume_ml,
    durationMs: data.duration_ms,
    grantId: readExtra(data, 'grant_id'),
    authDevice: readExtra(data, 'auth_device'),
    token: readExtra(data, 'auth_token'),
    ticks: readExtra(data, 'ticks') ?? 0,
    series: readExtra(data, 'tick_series'),
    raw: toRawText(event),
  })),
  pour_update: createReader(PourUpdate, (data) => ({
    kind: 'pour_update',
    meterNumber: data.meter_number,
    pourId: toPourId(data.pour_id),
    volumeMl: data.volume_ml,
  })),
  temperature: createReader(Temperature, ({ sensor, temp_c: tempC }) => ({
    kind: 'temperature',
    sensor,
    tempC,
  })),
  token: createReader(Token, ({ auth_device: authDevice, token, action }) => ({
    kind: 'token',
    authDevice,
    token,
    action,
  })),
  status: createReader(Status, (data) => ({
    kind: 'status',
    fwVersion: truncate(data.fw_version, 64),
    uptimeMs: clampCount(data.uptime_ms),
    eventsDropped: clampCount(data.events_dropped),
    config: toConfigText(data.config),
    rssiDbm: schemaMismatch(Rssi, data.wifi_rssi_dbm) === null ? (data.wifi_rssi_dbm as number) : null,
    meters: inventory(Port, data.meters, ({ meter_number: meterNumber, ml_per_tick: mlPerTick }) => ({
      meterNumber,
      mlPerTick,
    })),
    relayNumbers: inventory(Relay, data.relays, ({ relay_number: number }) => number),
  })),
  command_result: createReader(CommandResult, ({ command, result, message }) => ({
    kind: 'command_result',
    command,
    result,
    message: typeof message === 'string' ? truncate(message, 200) : '',
  })),
  grant_end: createReader(GrantEnd, ({ grant_id: grantId, reason }) => ({
    kind: 'grant_end',
    grantId,
    reason,
  })),
};

function readExtra<K extends keyof typeof PourExtras>(
  data: Data,
  name: K,
): Static<(typeof PourExtras)[K]> | null {
  const value = data[name];
  return schemaMismatch(PourExtras[name], value) === null ? (value as Static<(typeof PourExtras)[K]>) : null;
}

/** The valid entries of an inventory; null without an inventory, which means that nothing is known. */
function inventory<S extends Type.TSchema, T>(
  schema: S,
  list: unknown,
  toItem: (entry: Static<S>) => T,
): readonly T[] | null {
  if (!Array.isArray(list)) return null;
  const usable = list.filter((entry): entry is Static<S> => schemaMismatch(schema, entry) === null);
  return usable.slice(0, maxPorts).map(toItem);
}

function toConfigText(config: object): string {
  const text = removeHiddenCharacters(JSON.stringify(config), 'line');
  return text.length <= 4_096 ? text : '{}';
}

const clampCount = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER);
/** Removes hidden characters from a board's text and cuts it. */
const truncate = (text: string, length: number): string =>
  [...removeHiddenCharacters(text, 'line')].slice(0, length).join('');
/** The event as received, at most 16 384 characters. */
const toRawText = (event: WireEvent): string =>
  removeHiddenCharacters(JSON.stringify(event), 'line').slice(0, 16_384);
