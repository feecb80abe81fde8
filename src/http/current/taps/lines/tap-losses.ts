import Type from 'typebox';
import { defineRoute } from '../../../routes/route.ts';
import { CalendarDate, Closed, Open, TapRef, Ticks, VolumeMl } from '../../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../../shared/paging.ts';
import { requireTapView } from '../taps.ts';

export const listTapLosses = defineRoute({
  id: 'listTapLosses',
  method: 'get',
  path: '/taps/{ref}/losses',
  summary: 'List by day what a tap’s meter counted that is no drink',
  description:
    'Drips and back-flow; the gas at the end of a drink is noted there. The last 30 days with any, newest first, all on one page. ' +
    'Empty for a tap without a meter.',
  access: 'staff',
  accepts: { params: Open({ ref: TapRef }) },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      days: Type.Array(
        Closed({
          date: { ...CalendarDate, description: 'The day at the bar.' },
          drips: Type.Integer({ minimum: 0, description: 'Flows too small for a drink.' }),
          drip_ticks: { ...Ticks, description: 'Ticks of all of them.' },
          drip_ml: { ...VolumeMl, description: 'Their volume, with the meter’s present calibration.' },
          back_flow_ticks: {
            ...Ticks,
            description:
              'Ticks of liquid that moved to and fro in the line and stayed there, as when another tap is shut. In no other figure.',
          },
        }),
        { description: 'The days, newest first.' },
      ),
    }),
  },
  run({ engine }, { params }) {
    const days = engine.tapFacts.losses(requireTapView(engine, params.ref).tap).map((day) => ({
      date: day.date,
      drips: day.drips,
      drip_ticks: day.dripTicks,
      drip_ml: day.dripMl,
      back_flow_ticks: day.backFlowTicks,
    }));
    return { paging: wholeListPaging(days), days };
  },
});
