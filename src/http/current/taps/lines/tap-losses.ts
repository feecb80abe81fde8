import Type from 'typebox';
import { defineRoute } from '../../../routes/route.ts';
import { actorContext } from '../../../routes/route-context.ts';
import {
  CalendarDate,
  Closed,
  Maybe,
  Nullable,
  Open,
  TapRef,
  Ticks,
  VolumeMl,
} from '../../../routes/schemas.ts';
import { correctionFields } from '../../shared/correction-id.ts';
import { PagingJson, wholeListPaging } from '../../shared/paging.ts';
import { KegJson, kegJson } from '../../shared/views.ts';
import { requireTap } from '../tap-reply.ts';

const listTapLosses = defineRoute({
  id: 'listTapLosses',
  method: 'get',
  path: '/taps/{ref}/losses',
  summary: 'List by day what a tap’s meter counted that is no drink',
  description:
    'Drips and back-flow; the gas at the end of a drink is noted there. The last 30 days with any, newest first, all on one page. ' +
    'Empty for a tap without a meter. What was counted as spilled beer is in no day any more.',
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
          back_flow_ml: { ...VolumeMl, description: 'Their volume, with the meter’s present calibration.' },
        }),
        { description: 'The days, newest first.' },
      ),
    }),
  },
  run({ engine }, { params }) {
    const days = engine.taps.facts.losses(requireTap(engine, params.ref)).map((day) => ({
      date: day.date,
      drips: day.drips,
      drip_ticks: day.dripTicks,
      drip_ml: day.dripMl,
      back_flow_ticks: day.backFlowTicks,
      back_flow_ml: day.backFlowMl,
    }));
    return { paging: wholeListPaging(days), days };
  },
});

const spillTapLoss = defineRoute({
  id: 'spillTapLoss',
  method: 'post',
  path: '/taps/{ref}/losses/{date}/spill',
  summary: 'Count the drips of a day as spilled beer',
  description:
    'For beer that left the tap after all. The ticks leave the day and become one spill of the tap and of the keg that was on it, at the ' +
    'end of that day, or now when it is today. With `loss` it is the back-flow of the day instead. Refused with 409 when nothing of it is ' +
    'left. Written to the audit log, and can be undone: then they are drips of that day again.',
  access: 'staff',
  byPin: true,
  accepts: {
    params: Open({
      ref: TapRef,
      date: { ...CalendarDate, description: 'The day at the bar, `YYYY-MM-DD`.' },
    }),
    body: Closed({
      loss: Maybe(
        Type.Enum(['drips', 'back_flow'], {
          default: 'drips',
          description: 'What of the day was beer.',
        }),
      ),
    }),
  },
  errors: { conflict: ['no_loss_left'] },
  replies: {
    status: 200,
    body: Closed({
      volume_ml: {
        ...VolumeMl,
        description: 'Volume of the spill in millilitres, with the meter’s present calibration.',
      },
      keg: Nullable(KegJson),
      ...correctionFields,
    }),
  },
  run(context, { params: { ref, date }, body: { loss = 'drips' } }) {
    const { engine } = context;
    const tap = requireTap(engine, ref);
    const { spill, keg, correctionId } = engine.drinks.spilledLosses.spill(
      tap,
      date,
      loss,
      actorContext(context),
    );
    return { volume_ml: spill.volumeMl, keg: keg && kegJson(keg), correction_id: correctionId };
  },
});

/** What a tap’s meter counted that is no drink, for staff. */
export const tapLossRoutes = [listTapLosses, spillTapLoss];
