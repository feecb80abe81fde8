import { defineRoute } from '../../../routes/route.ts';
import { actorContext } from '../../../routes/route-context.ts';
import { Closed, Id, Maybe, Open } from '../../../routes/schemas.ts';
import { correctionFields, correctionOf } from '../../shared/correction-id.ts';
import { MeterJson, meterJson } from '../hardware-views.ts';
import { TicksPerMl } from './calibration-views.ts';

/** Another meter at the port of a meter. */
export const declareMeterReplaced = defineRoute({
  id: 'declareMeterReplaced',
  method: 'post',
  path: '/flow-meters/{id}/replaced',
  summary: 'Say that another meter took the place of this one: it forgets what was measured and learned',
  description:
    'Its evidence is outdated, its curve removed, and its tap learns its rate again. Without `ticks_per_ml` pours are computed with the ' +
    'factor of the settings file or model, or the default, and the meter counts as uncalibrated until it is calibrated or has learned. ' +
    'Past drinks stay; a keg during which the meter was replaced is no evidence. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: {
    params: Open({ id: Id }),
    body: Closed({
      ticks_per_ml: Maybe({
        ...TicksPerMl,
        description: 'Calibration factor of the new meter in ticks per millilitre; unknown unless given.',
      }),
    }),
  },
  replies: { status: 200, body: Closed({ flow_meter: MeterJson, ...correctionFields }) },
  run(context, { params: { id }, body: { ticks_per_ml: ticksPerMl } }) {
    const { engine } = context;
    const meter = engine.taps.hardware.replaceMeter(id, { ticksPerMl }, actorContext(context));
    return {
      flow_meter: meterJson(meter),
      ...correctionOf(engine, 'device', { kind: 'flow_meter', id }),
    };
  },
});
