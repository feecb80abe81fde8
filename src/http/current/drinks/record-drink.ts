import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { isGuestName } from '../../../core/users/username-rules.ts';
import { userSender } from '../../../engine/engine.ts';
import { Instant, idempotencyKey, parseInstant, validationError } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, DurationSeconds, Maybe, Open, TapRef, VolumeMl } from '../../routes/schemas.ts';
import { correctionFields, correctionOf } from '../shared/correction-id.ts';
import { kegJson } from '../shared/views.ts';
import { drinkDetailJson, MaybeDrinkDetailJson, noDrinkJson } from './drink-detail.ts';

const RecordedDrinkJson = Closed({ ...MaybeDrinkDetailJson.properties, ...correctionFields });

/** Records by hand a drink or spill that no meter counted. */
export const recordDrink = defineRoute({
  id: 'recordDrink',
  method: 'post',
  path: '/taps/{ref}/record-drink',
  summary: 'Record a drink or a spill by hand. A repeated `Idempotency-Key` records nothing',
  description:
    'Counts like a poured drink: keg, session, user, events, mails and webhooks. `pour_time` may lie in the past, ' +
    'and the drink then joins the session of that time. The username must exist. With `spilled` no drink is ' +
    'created: the volume is added to the spilled volume of the keg that was on the tap at `pour_time`, and only `keg` is set in the answer. With an ' +
    '`Idempotency-Key` a repetition within the time it is kept records nothing and returns the first answer; without one, an equal ' +
    'drink of the same user through the same tap whose `pour_time` is within 2 s is taken for a repetition. Can be undone.',
  access: 'staff',
  byPin: true,
  storesIdempotencyKey: true,
  accepts: {
    params: Open({ ref: TapRef }),
    body: Closed({
      volume_ml: VolumeMl,
      username: Maybe(
        Type.String({ maxLength: 128, description: 'Who drank it; empty or `guest` means nobody.' }),
      ),
      pour_time: Maybe(
        Instant(
          'When the pour ended or the beer was spilled; now unless given, and for a time in the future.',
        ),
      ),
      duration: Maybe(DurationSeconds),
      shout: Maybe(
        Type.String({ maxLength: 1000, description: 'Comment of the drinker, at most 1000 characters.' }),
      ),
      spilled: Maybe(Type.Boolean({ description: 'True: records a spill of the keg instead of a drink.' })),
    }),
  },
  errors: { conflict: ['idempotency_key_reused'] },
  replies: { status: 201, body: RecordedDrinkJson },
  run(context, { params: { ref }, body }) {
    const { engine, now } = context;
    const key = idempotencyKey(context);
    const actor = requestActor(context);
    const measured = {
      tap: ref,
      ticks: 0,
      volumeMl: body.volume_ml,
      ...omitUndefined({ pourId: key }),
      actor,
      sender: userSender(actor.userId!),
      source: 'manual' as const,
    };
    const { username, pour_time: pourTime, duration, shout } = body;
    const agoMs =
      pourTime === undefined ? undefined : now.wallMs - parseInstant(engine, 'pour_time', pourTime);
    if (body.spilled) {
      const { keg, spill } = engine.drinks.pours.spill({ ...measured, ...omitUndefined({ agoMs }) }, now);
      const correction = spill
        ? correctionOf(engine, 'spill', { kind: 'spill', id: spill.id })
        : { correction_id: null };
      return { ...noDrinkJson, keg: keg && kegJson(keg), ...correction };
    }
    // An unknown name is an error here, unlike in pours from controllers: a person can correct it.
    if (username && !isGuestName(username) && !engine.users.user(username)) {
      throw validationError('username', 'must be the name of an account', {
        name: 'exists',
        what: 'account',
      });
    }
    const pour = {
      ...measured,
      ...omitUndefined({
        username,
        agoMs,
        durationMs: duration === undefined ? undefined : duration * 1000,
        shout,
      }),
    };
    const view = engine.drinks.pours.reportInFull(pour, now);
    const correction = correctionOf(engine, 'recording', { kind: 'drink', id: view.drink.id });
    return { ...drinkDetailJson(context, view), ...correction };
  },
});
