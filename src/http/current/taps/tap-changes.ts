import Type, { type Static } from 'typebox';
import { remainingMl } from '../../../core/kegs/keg-volume.ts';
import { runningVolumeMl } from '../../../core/measurement/pour-volume.ts';
import type { Keg, Tap } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { AnyId, Instant, parseInstant, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Open, TapRef, VolumeMl } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { NewKegJson, toNewKeg } from '../kegs/new-keg.ts';
import { correctionOf } from '../shared/correction-id.ts';
import { ChangedTapJson, requireTap, tapReply } from './tap-reply.ts';

const params = Open({ ref: TapRef });
const ChangedAt = Maybe(
  Instant(
    'When the keg was changed; now unless given. Not before the tap’s last change. Drinks and spills that flowed since, as ' +
      '`GET /api/drinks?tap_id=…&since=…` lists them, move to the keg that was on the tap then; a drink that was flowing is divided.',
  ),
);
/** Milliseconds of the wall clock; undefined without a time. */
const toChangedAt = (engine: Engine, value: Static<typeof ChangedAt> | undefined) => ({
  changedAtMs: value === undefined ? undefined : parseInstant(engine, 'changed_at', value),
});
/** The pours that run now. */
type RunningPours = Pick<RouteServices, 'counting'>;

/** A tap after its keg was ended, and what is left of that. */
const EndedKegReply = Closed({
  ...ChangedTapJson.properties,
  ended_keg: Closed(
    {
      id: Id,
      volume_ml_remain: Type.Number({
        'x-unit': 'mL',
        description:
          'What is left of it by the count, less `running_ml`. Below 0 when more was poured than it held.',
      }),
      running_ml: VolumeMl,
    },
    {
      description:
        'The keg that ended. A pour that runs at its tap, or has just ended, becomes a drink of it within seconds: `running_ml`.',
    },
  ),
});

/** What flows now at the tap, or has just flowed and is no drink yet, millilitres. */
function findRunningMl({ counting }: RunningPours, { meter }: Tap): number {
  const running = meter === null ? undefined : counting.runningPours().get(meter.name);
  return meter === null || running === undefined ? 0 : runningVolumeMl(meter, running);
}

const replies = { status: 200, body: ChangedTapJson };

const attachKeg = defineRoute({
  id: 'attachKeg',
  method: 'post',
  path: '/taps/{ref}/attach-keg',
  summary: 'Put an available keg on an empty tap',
  description:
    'The keg becomes `on_tap`, with an event `keg_tapped`. Refused with 409 when the tap has a keg, or the keg is ' +
    'on another tap or finished. If it was announced as the next one, the announcement is removed. Written to the ' +
    'audit log, and can be undone: what was poured since goes back.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({ keg_id: { ...AnyId, description: 'Id of an available keg.' }, changed_at: ChangedAt }),
  },
  errors: { conflict: ['tap_has_keg', 'keg_finished', 'keg_on_other_tap'] },
  replies,
  run(context, { params: { ref }, body }) {
    const { engine, now } = context;
    const { id } = requireTap(engine, ref);
    const keg = requireKeg(engine, body.keg_id);
    const at = toChangedAt(engine, body.changed_at);
    return kegReply(context, id, engine.kegs.attach(id, keg.id, now, requestActor(context), at));
  },
});

const startKeg = defineRoute({
  id: 'startKeg',
  method: 'post',
  path: '/taps/{ref}/start-keg',
  summary: 'Put a new keg on an empty tap',
  description:
    'Creates a keg as `POST /api/kegs` does and puts it on the tap in one step, with an event `keg_tapped`. ' +
    'Refused with 409 when the tap has a keg; nothing is created then. Can be undone, which deletes it: what was poured since goes back.',
  access: 'staff',
  byPin: true,
  accepts: { params, body: Closed({ ...NewKegJson.properties, changed_at: ChangedAt }) },
  errors: { conflict: ['tap_has_keg'] },
  replies,
  run(context, { params: { ref }, body }) {
    const { engine, now } = context;
    const { id } = requireTap(engine, ref);
    const { changed_at: changedAt, ...keg } = body;
    const at = toChangedAt(engine, changedAt);
    return kegReply(context, id, engine.kegs.start(id, toNewKeg(keg), now, requestActor(context), at));
  },
});

const connectKeg = defineRoute({
  id: 'connectKeg',
  method: 'post',
  path: '/taps/{ref}/kegs',
  summary: 'Connect a further keg to a tap: behind those on it, or the keg of another tap',
  description:
    'An available keg is connected behind the kegs on the tap, or to an empty tap, and becomes `on_tap`. Drinks count for the first keg ' +
    'until nothing is left of it by the count; it is then ended and the next one follows. A keg that is on other taps feeds this one ' +
    'too (a split line); it ends on all of them. All kegs on a tap have the same beverage. Such kegs are no evidence for a meter. ' +
    'Written to the audit log, and can be undone: what was poured since goes back.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      keg_id: { ...AnyId, description: 'Id of a keg that is not finished.' },
      changed_at: ChangedAt,
    }),
  },
  errors: { conflict: ['keg_on_tap_already', 'keg_finished', 'other_beverage', 'too_many_connected'] },
  replies,
  run(context, { params: { ref }, body }) {
    const { engine, now } = context;
    const { id } = requireTap(engine, ref);
    const keg = requireKeg(engine, body.keg_id);
    const at = toChangedAt(engine, body.changed_at);
    return kegReply(context, id, engine.kegs.connect(id, keg.id, now, requestActor(context), at));
  },
});

const disconnectKeg = defineRoute({
  id: 'disconnectKeg',
  method: 'delete',
  path: '/taps/{ref}/kegs/{keg_id}',
  summary: 'Take a keg off one tap',
  description:
    'A keg on further taps stays there. One without another tap is in stock again, with what is left of it, and can be put on a tap ' +
    'again; the kegs behind it follow. Its drinks stay its drinks, but it is no evidence for a meter any more once it was poured from. ' +
    'Written to the audit log, and can be undone while its place is free.',
  access: 'staff',
  byPin: true,
  accepts: {
    params: Open({ ref: TapRef, keg_id: { ...AnyId, description: 'Id of a keg on the tap.' } }),
    query: Closed({ changed_at: ChangedAt }),
  },
  replies,
  run(context, { params: { ref, keg_id: kegId }, query }) {
    const { engine, now } = context;
    const { id } = requireTap(engine, ref);
    const at = toChangedAt(engine, query.changed_at);
    return kegReply(context, id, engine.kegs.disconnect(id, toId(kegId), now, requestActor(context), at));
  },
});

const endKeg = (services: RunningPours) =>
  defineRoute({
    id: 'endKeg',
    method: 'post',
    path: '/taps/{ref}/end-keg',
    summary: 'End the keg on a tap',
    description:
      'The keg becomes `finished`, with an event `keg_ended`, on all its taps; the kegs behind it follow. Drinks poured from an empty tap have no ' +
      'keg. Refused with 409 when the tap is empty. Its meter learns from a keg that ran dry, as gas or `ran_dry` shows; one that was taken ' +
      'off early is no evidence. Written to the audit log, and can be undone while the tap is empty.',
    access: 'staff',
    byPin: true,
    accepts: {
      params,
      body: Closed({
        ran_dry: Maybe(
          Type.Boolean({ description: 'True when the keg is empty, false when it was taken off early.' }),
        ),
        changed_at: ChangedAt,
      }),
    },
    errors: { conflict: ['tap_is_empty'] },
    replies: { status: 200, body: EndedKegReply },
    run(context, { params: { ref }, body }) {
      const { engine, now } = context;
      const tap = requireTap(engine, ref);
      const runningMl = body.changed_at === undefined ? findRunningMl(services, tap) : 0;
      const end = { ranDry: body.ran_dry, ...toChangedAt(engine, body.changed_at) };
      const keg = engine.kegs.endOnTap(tap.id, now, requestActor(context), end);
      return {
        ...kegReply(context, tap.id, keg),
        ended_keg: { id: keg.id, running_ml: runningMl, volume_ml_remain: remainingMl(keg) - runningMl },
      };
    },
  });

const answerKegEmpty = defineRoute({
  id: 'answerKegEmpty',
  method: 'post',
  path: '/taps/{ref}/keg-empty',
  summary: 'Say whether the keg on a tap is empty after gas came out of it',
  description:
    'Gas at the end of a pour asks staff this question (`keg_empty_since` of the live tap). If it is empty the keg becomes ' +
    '`finished` at the time when the gas came, as by `POST /api/taps/{ref}/end-keg`; refused with 409 when the tap has no keg. ' +
    'If it is not, the gas since then counts as beer of the drinks that it followed, pours that were held as gas become drinks, the ' +
    'tap’s usual rate is learned again, and nothing happens when nobody was asked. Written to the audit log, and can be undone.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({ is_empty: Type.Boolean({ description: 'True when the keg is empty.' }) }),
  },
  errors: { conflict: ['tap_is_empty'] },
  replies,
  run(context, { params: { ref }, body }) {
    const { engine, now } = context;
    const tap = requireTap(engine, ref);
    const actor = requestActor(context);
    if (!body.is_empty) {
      const correctionId = engine.drinks.emptyKegs.deny(tap.id, now, actor);
      return { ...tapReply(context, tap.id), correction_id: correctionId };
    }
    const kegId = tap.kegId;
    engine.drinks.emptyKegs.confirm(tap.id, now, actor);
    return kegReply(context, tap.id, engine.kegs.get(kegId!)!);
  },
});

/** Routes that change the keg on a tap, for staff. */
export const tapChangeRoutes = (services: RunningPours): readonly Route[] => [
  attachKeg,
  startKeg,
  connectKeg,
  disconnectKeg,
  endKeg(services),
  answerKegEmpty,
];

/** The keg that a body names; throws 400. */
function requireKeg(engine: Engine, id: Static<typeof AnyId>): Keg {
  const keg = engine.kegs.get(toId(id));
  if (keg) return keg;
  throw validationError('keg_id', 'must be the id of a keg', { name: 'exists', what: 'keg' });
}

/** Call it in the same step as the change. */
const kegReply = (context: RouteContext, tapId: number, { id }: Keg) => ({
  ...tapReply(context, tapId),
  ...correctionOf(context.engine, 'keg', { kind: 'keg', id }),
});
