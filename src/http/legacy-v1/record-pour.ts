import Type, { type Static } from 'typebox';
import { AppError } from '../../core/app-error.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Keg } from '../../core/records.ts';
import { type DrinkView, type Engine, type PreparedPicture, userSender } from '../../engine/engine.ts';
import { withPicture } from '../pictures.ts';
import { parseBoolean } from '../pipeline/body/form-values.ts';
import { idempotencyKey } from '../routes/input-values.ts';
import { defineViewedRoute, type Fields, view } from '../routes/route.ts';
import type { RouteContext } from '../routes/route-context.ts';
import { Closed, Maybe, Open, PourId, TapRef, Ticks, UnixSeconds, VolumeMl } from '../routes/schemas.ts';
import { DrinkKegbot, drinkDetailKegbot } from './kegbot-drinks.ts';
import {
  DrinkDetailReference,
  drinkDetailReference,
  SpillReference,
  spillReference,
} from './reference-views.ts';

const daySeconds = 86_400;

/** Fields that are ignored, and not validated, for a spill. */
const ignoredForSpills: ReadonlySet<string> = new Set([
  'username',
  'pour_time',
  'auth_token',
  'now',
  'duration',
]);

const PourBody = Open({
  ticks: Ticks,
  volume_ml: Maybe(VolumeMl),
  username: Maybe(
    Type.String({
      maxLength: 128,
      description: 'Who drank it; an unknown name is stored as the claimed username.',
    }),
  ),
  pour_time: Maybe({
    ...UnixSeconds,
    description: 'When the pour ended, by the client’s clock, in Unix seconds; requires `now`.',
  }),
  now: Maybe({ ...UnixSeconds, description: 'The client’s clock when it sends this, in Unix seconds.' }),
  duration: Maybe(
    Type.Integer({
      'x-unit': 's',
      description: 'Seconds from the first tick to the last; limited to 0 to 86 400.',
    }),
  ),
  auth_token: Maybe(
    Type.String({
      maxLength: 256,
      description: 'Auth token presented at the tap: `device|value` or the value alone.',
    }),
  ),
  spilled: Maybe(Type.Boolean({ description: 'True: records a spill of the keg instead of a drink.' })),
  shout: Maybe(Type.String({ maxLength: 1000, description: 'Comment of the drinker.' })),
  tick_time_series: Maybe(
    Type.String({
      // The limit of a whole body: a pour is never refused because of this field.
      maxLength: 65_536,
      description: 'When the ticks were counted: `<ms>:<ticks>` pairs; ignored when malformed.',
    }),
  ),
  pour_id: Maybe(PourId),
});

type PourBody = Static<typeof PourBody>;

/** The result: a drink, or a spill of the keg. */
type Outcome =
  | { readonly kind: 'drink'; readonly engine: Engine; readonly view: DrinkView }
  | { readonly kind: 'spill'; readonly keg: Keg | null };

/** The legacy API has two paths for this operation. */
const recordPourAt = (id: string, path: string) =>
  defineViewedRoute({
    id,
    method: 'post',
    path,
    summary:
      'Record a pour counted by another controller; repeated with the same pour_time, it is recorded once',
    description:
      'The volume is `volume_ml` if given, else computed from `ticks`. With `pour_time` and `now` the time of the pour is that many seconds ago, whatever the client’s clock shows. An unknown `username` is kept for staff, and the drink has no user. With `spilled` the volume is counted as lost from the keg: no drink is created, and fields about the drink are ignored. A pour that looks impossible, or whose meter has no tap, is held for review and answered as a drink. A `pour_id`, or the header `Idempotency-Key`, makes a repetition return the first drink. A `photo` that cannot be read does not refuse the pour.',
    access: 'staff',
    accepts: { params: Open({ ref: TapRef }), body: PourBody, files: ['photo'], areFilesOptional: true },
    removeIgnoredFields,
    storesIdempotencyKey: true,
    status: 200,
    run(context, { params, body, files }): Outcome | Promise<Outcome> {
      if (body.spilled) return spill(context, params.ref, body);
      // Optional, because the beer was poured: without its photo the drink is recorded nevertheless.
      const photo = { upload: files.get('photo'), field: 'photo', isOptional: true };
      return withPicture(context, photo, (picture) => drink(context, params.ref, body, picture));
    },
    views: {
      reference: view(Type.Union([DrinkDetailReference, SpillReference]), (outcome: Outcome) =>
        outcome.kind === 'drink' ? drinkDetailReference(outcome.view) : spillReference(outcome.keg),
      ),
      // Existing controllers read an empty object as “no drink recorded”.
      kegbot: view(Type.Union([DrinkKegbot, Closed({})]), (outcome: Outcome) =>
        outcome.kind === 'drink' ? drinkDetailKegbot(outcome.engine, outcome.view) : {},
      ),
    },
  });

export const recordPour = recordPourAt('recordPour', '/taps/{ref}');
export const recordPourOldPath = recordPourAt('recordPourAtTap', '/tap/{ref}');

function removeIgnoredFields(fields: Fields): Fields {
  if (parseBoolean(fields.spilled) !== true) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !ignoredForSpills.has(name)));
}

function spill(context: RouteContext, tap: string, body: PourBody): Outcome {
  const measured = { tap, ...toMeasurement(context, body) };
  const { keg } = context.engine.pours.spill(measured, context.now);
  return { kind: 'spill', keg };
}

function drink(
  context: RouteContext,
  tap: string,
  body: PourBody,
  picture: PreparedPicture | undefined,
): Outcome {
  const { engine, now } = context;
  const ago = agoMs(body);
  const view = engine.pours.reportInFull(
    {
      tap,
      ...toMeasurement(context, body),
      ...omitUndefined({
        username: body.username,
        authToken: body.auth_token,
        agoMs: ago,
        clientClock: ago === undefined ? undefined : { endS: body.pour_time!, nowS: body.now! },
        durationMs: body.duration === undefined ? undefined : clampDuration(body.duration) * 1000,
        shout: body.shout,
        series: body.tick_time_series,
        picture,
      }),
    },
    now,
  );
  return { kind: 'drink', engine, view };
}

/** Limits the duration: it is used for statistics only, and a clock step in mid-pour must not reject the drink. */
const clampDuration = (duration: number): number => Math.min(Math.max(duration, 0), daySeconds);

/** The sender, ticks, volume and the client's id of the pour. */
function toMeasurement(context: RouteContext, body: PourBody) {
  const pourId = body.pour_id ?? idempotencyKey(context);
  return {
    sender: userSender(context.user!.id),
    source: 'post' as const,
    ticks: body.ticks,
    ...omitUndefined({ volumeMl: body.volume_ml, pourId }),
  };
}

/** How long ago the pour ended, by the client's own clock, which may be wrong. A clock that was never set shows 0. */
function agoMs({ pour_time: pourTime, now }: PourBody): number | undefined {
  if (!pourTime) return undefined;
  if (!now) {
    const fault = 'is required together with pour_time';
    throw new AppError('invalid_request', `now ${fault}.`, { fields: { now: fault } });
  }
  return (now - pourTime) * 1000;
}
