import Type from 'typebox';
import { wireColours } from '../../hardware-ports.ts';
import { ProblemJson } from '../../routes/problem-json.ts';
import { Closed, Id, Nullable, named, TempC, TextId } from '../../routes/schemas.ts';
import { ActiveLow, Bias, Edge, MinGapMs, Pin, PortName, TicksPerMl } from './machine-hardware-inputs.ts';

/** What meters and relays have in common. */
const part = {
  name: Type.String({ description: 'Full name, such as `pi.flow0`.' }),
  port: PortName,
  pin: Pin,
  header_pin: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 40,
      description: 'Pin of the header with that line; null when unknown.',
    }),
  ),
  fixed: Type.Boolean({
    description: 'True when the settings file names it: what the file says wins and cannot be changed here.',
  }),
  state: Type.Enum(['works', 'failed', 'overridden', 'other_machine', 'restart_needed'], {
    description:
      '`failed`: its line cannot be opened now and is tried again. `overridden`: the settings file uses its port or pin, so ' +
      'that it does not work. `other_machine`: a relay that was wired to another machine, whose database this one got; it is not ' +
      'driven until `POST /api/hardware/other-machine`. `restart_needed`: it takes effect at the next start.',
  }),
  problem: Nullable(ProblemJson),
  tap_id: Nullable({ ...TextId, description: 'Id of its tap, as text; null without one.' }),
};

const PinMeterJson = named(
  'PinMeter',
  Closed(
    {
      ...part,
      flow_meter_id: Nullable({
        ...Id,
        description: 'Id of the flow meter, for its calibration; null when unknown.',
      }),
      model: Nullable(Type.String({ description: 'Id of its model; null without one.' })),
      ticks_per_ml: Nullable(TicksPerMl),
      min_gap_ms: Nullable(MinGapMs),
      bias: Bias,
      edge: Edge,
    },
    { description: 'A flow meter on a pin of this machine.' },
  ),
);

const PinRelayJson = named(
  'PinRelay',
  Closed(
    {
      ...part,
      flow_toggle_id: Nullable({ ...Id, description: 'Id of the flow toggle; null when unknown.' }),
      active_low: ActiveLow,
      max_open_s: Type.Integer({
        minimum: 1,
        'x-unit': 's',
        description: 'It is shut after this time whatever was asked.',
      }),
      shut_without_heartbeat_s: Type.Integer({
        minimum: 1,
        'x-unit': 's',
        description: 'It is shut when the program has stood still for this time.',
      }),
    },
    { description: 'A relay on a pin of this machine.' },
  ),
);

const SeenProbeJson = named(
  'SeenProbe',
  Closed(
    {
      name: Type.String({ description: 'Serial number on the bus, such as `28-00000a1b2c3d`.' }),
      thermo_sensor_id: Nullable({
        ...TextId,
        description: 'Id of its thermo sensor, as text; null until its first reading is stored.',
      }),
      nice_name: Nullable(
        Type.String({ description: 'The name that people gave it; null when it has none yet.' }),
      ),
      tap_id: Nullable({ ...TextId, description: 'Id of a tap that has it, as text; null without one.' }),
      fixed: Type.Boolean({ description: 'True when a tap of the settings file names it.' }),
      temp_c: Nullable({ ...TempC, description: 'Last valid reading in degrees Celsius; null without one.' }),
    },
    { description: 'A thermometer that this machine has seen.' },
  ),
);

const ChoosablePinJson = named(
  'ChoosablePin',
  Closed(
    {
      pin: Pin,
      header_pin: part.header_pin,
      use: Type.Enum(['free', 'taken', 'reserved'], {
        description:
          '`taken`: a meter or relay has it. `reserved`: the board or a common service needs it; it can be chosen all the same.',
      }),
      used_by: Nullable(Type.String({ description: 'Full name of the part that has it; null without one.' })),
      also: Nullable(
        Type.String({ description: 'Its other function on this board, in English; null without one.' }),
      ),
    },
    { description: 'A pin of the header.' },
  ),
);

const modelFigure = (description: string, unit: string) =>
  Nullable(Type.Number({ minimum: 0, 'x-unit': unit, description: `${description}; null when unknown.` }));

const wireColour = (wire: string) =>
  Nullable(
    Type.Enum(wireColours, { description: `Colour of its ${wire} wire; null when it is not documented.` }),
  );

export const MeterModelJson = named(
  'MeterModel',
  Closed(
    {
      id: Type.String({ description: 'Id of the model, such as `swissflow-sf800`.' }),
      name: Type.String({ description: 'Name of the model.' }),
      maker: Nullable(Type.String({ description: 'Who makes it; null when unknown.' })),
      ticks_per_ml: TicksPerMl,
      max_hz: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'Hz',
          description: 'Its highest pulse rate; null when unknown.',
        }),
      ),
      min_gap_ms: Type.Number({
        minimum: 0,
        'x-unit': 'ms',
        description:
          'Edges closer than this to the last counted one are bounce, unless the meter has a value of its own.',
      }),
      min_l_per_min: modelFigure('The least flow that it measures', 'L/min'),
      max_l_per_min: modelFigure('The greatest flow that it measures', 'L/min'),
      too_small: Type.Boolean({
        description: 'True when it cannot take the usual flow of a tap, 3.6 L/min.',
      }),
      accuracy_percent: modelFigure('Bound of its error before it is calibrated', '%'),
      repeatability_percent: modelFigure('Spread of equal pours', '%'),
      min_supply_v: modelFigure('The least supply voltage', 'V'),
      max_supply_v: modelFigure('The greatest supply voltage', 'V'),
      output: Nullable(
        Type.Enum(['open-collector', 'push-pull', 'measure-first'], {
          description:
            'Type of its output; a `push-pull` one with a 5 V supply destroys the pin, `measure-first` may be one; null when ' +
            'unknown.',
        }),
      ),
      supply_wire: wireColour('supply'),
      ground_wire: wireColour('ground'),
      signal_wire: wireColour('signal'),
      notes: Nullable(Type.String({ description: 'What to know about it, in English; null without notes.' })),
    },
    { description: 'A flow-meter model of the catalogue.' },
  ),
);

export const HardwareJson = named(
  'Hardware',
  Closed(
    {
      controller: Type.String({ description: 'Name of this machine, the first part of all full names.' }),
      driver: Type.String({ description: 'GPIO driver, as in the setting `gpio.driver`, or `none`.' }),
      restart_needed: Type.Boolean({
        description: 'True when a change is stored and takes effect at the next start only.',
      }),
      can_restart: Type.Boolean({ description: 'True when `POST /api/hardware/restart` works here.' }),
      undo_id: Nullable({
        ...Id,
        description: 'Id of the newest change, if it can be undone; null when there is nothing to undo.',
      }),
      meters: Type.Array(PinMeterJson, { description: 'Flow meters, those of the settings file first.' }),
      relays: Type.Array(PinRelayJson, { description: 'Relays, those of the settings file first.' }),
      probes: Type.Array(SeenProbeJson, { description: 'Thermometers on the buses of this machine.' }),
      pins: Type.Array(ChoosablePinJson, {
        description: 'Pins of the header in the order of their GPIO numbers.',
      }),
      models: Type.Array(MeterModelJson, { description: 'Flow-meter models, by name.' }),
    },
    { description: 'Meters, relays and thermometers of this machine, and what can be chosen for them.' },
  ),
);
