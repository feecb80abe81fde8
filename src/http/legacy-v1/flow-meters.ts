import Type from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { FlowMeter } from '../../core/records.ts';
import { defineViewedRoute, view } from '../routes/route.ts';
import { Closed, Id, Maybe, Open } from '../routes/schemas.ts';
import { type Controllers, controllersById, MeterKegbot, meterKegbot } from './kegbot-hardware.ts';
import { MeterReference, meterReference } from './reference-hardware.ts';

interface AllMeters {
  readonly meters: readonly FlowMeter[];
  readonly controllers: Controllers;
}

interface OneMeter {
  readonly meter: FlowMeter;
  readonly controllers: Controllers;
}

export const listMeters = defineViewedRoute({
  id: 'listFlowMeters',
  method: 'get',
  path: '/flow-meters',
  summary: 'List flow meters',
  description: 'All meters of all controllers, also those that no tap has.',
  access: 'staff',
  accepts: {},
  status: 200,
  run: ({ engine }): AllMeters => ({
    meters: engine.taps.hardware.meters(),
    controllers: controllersById(engine),
  }),
  views: {
    reference: view(
      Closed({ flow_meters: Type.Array(MeterReference, { description: 'All flow meters.' }) }),
      ({ meters }: AllMeters) => ({
        flow_meters: meters.map(meterReference),
      }),
    ),
    kegbot: view(Type.Array(MeterKegbot), ({ meters, controllers }: AllMeters) =>
      meters.map((meter) => meterKegbot(meter, controllers)),
    ),
  },
});

export const createMeter = defineViewedRoute({
  id: 'createFlowMeter',
  method: 'post',
  path: '/flow-meters',
  summary: 'Create a flow meter without a tap',
  description:
    'The full name of the meter is the controller’s name, a dot and the port, which must be unique on its ' +
    'controller. Without `ticks_per_ml` the meter has 2.724 ticks per millilitre until it is calibrated. Staff ' +
    'connect it to a tap.',
  access: 'staff',
  accepts: {
    body: Open({
      controller: { ...Id, description: 'Id of its controller.' },
      port_name: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Port of the controller, such as `flow0`.',
      }),
      ticks_per_ml: Maybe(
        Type.Number({
          minimum: 0.001,
          maximum: 1000,
          'x-unit': 'ticks/mL',
          description:
            'Calibration factor in ticks per millilitre; 2.724 unless given, until the meter is calibrated.',
        }),
      ),
    }),
  },
  status: 200,
  run: ({ engine }, { body }): OneMeter => ({
    meter: engine.taps.hardware.createMeter({
      controllerId: body.controller,
      portName: body.port_name,
      ...omitUndefined({ ticksPerMl: body.ticks_per_ml }),
    }),
    controllers: controllersById(engine),
  }),
  views: {
    reference: view(Closed({ flow_meter: MeterReference }), ({ meter }: OneMeter) => ({
      flow_meter: meterReference(meter),
    })),
    kegbot: view(MeterKegbot, ({ meter, controllers }: OneMeter) => meterKegbot(meter, controllers)),
  },
});
