import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Keg } from '../../../core/records.ts';
import { type DrinkView, type Engine, toPourId, userSender } from '../../../engine/engine.ts';
import { parseBoolean } from '../../pipeline/body/form-values.ts';
import { idempotencyKey } from '../../routes/input-values.ts';
import { defineViewedRoute, type Fields, view } from '../../routes/route.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Open, TapRef, Ticks, UnixSeconds, VolumeMl } from '../../routes/schemas.ts';
import { DrinkKegbot, drinkDetailKegbot } from '../kegbot-drinks.ts';
import {
  DrinkDetailReference,
  drinkDetailReference,
  SpillReference,
  spillReference,
} from '../reference-views.ts';
import {
  addPhoto,
  fitTexts,
  type LeftOut,
  maxShout,
  maxToken,
  maxUsername,
  noteLeftOut,
} from './pour-extras.ts';

const daySeconds = 86_400;

/** Fields that are ignored, and not validated, for a spill. */
const ignoredForSpills: ReadonlySet<string> = new Set([
  'username',
  'pour_time',
  'auth_token',
  'now',
  'duration',
]);

/** The limit of a whole body: a pour is never refused because of a text. */
const maxTextLength = 65_536;

const PourBody = Open({
  ticks: Ticks,
  volume_ml: Maybe(VolumeMl),
  username: Maybe(
    Type.String({
      maxLength: maxTextLength,
      description: `Who drank it; an unknown name is stored as the claimed username. Ignored beyond ${maxUsername} characters.`,
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
      maxLength: maxTextLength,
      description: `Auth token presented at the tap: \`device|value\` or the value alone. Ignored beyond ${maxToken} characters.`,
    }),
  ),
  spilled: Maybe(Type.Boolean({ description: 'True: records a spill of the keg instead of a drink.' })),
  shout: Maybe(
    Type.String({
      maxLength: maxTextLength,
      description: `Comment of the drinker; cut after ${maxShout} characters.`,
    }),
  ),
  tick_time_series: Maybe(
    Type.String({
      maxLength: maxTextLength,
      description: 'When the ticks were counted: `<ms>:<ticks>` pairs; ignored when malformed.',
    }),
  ),
  pour_id: Maybe(
    Type.String({
      maxLength: maxTextLength,
      description: 'The poster’s own name for this pour: posting it twice records it once.',
    }),
  ),
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
      'The volume is `volume_ml` if given, else computed from `ticks`. With `pour_time` and `now` the time of the pour is that many seconds ago, whatever the client’s clock shows. An unknown `username` is kept for staff, and the drink has no user. With `spilled` the volume is counted as lost from the keg: no drink is created, and fields about the drink are ignored. A pour that looks impossible, or whose meter has no tap, is held for review and answered as a drink. A `pour_id`, or the header `Idempotency-Key`, makes a repetition return the first drink. A `photo`, `username`, `auth_token` or `shout` that does not fit is left out or cut, which the history of the drink tells; it does not refuse the pour. The answer does not wait long for the photo.',
    access: 'staff',
    accepts: { params: Open({ ref: TapRef }), body: PourBody, files: ['photo'], areFilesOptional: true },
    removeIgnoredFields,
    storesIdempotencyKey: true,
    status: 200,
    run(context, { params, body, files, leftOutFiles }): Outcome | Promise<Outcome> {
      if (body.spilled) return spill(context, params.ref, body);
      const leftOut: LeftOut = Object.fromEntries(leftOutFiles);
      const outcome = drink(context, params.ref, body, leftOut);
      noteLeftOut(context, outcome.view.drink.id, leftOut);
      const photo = files.get('photo');
      return photo === undefined ? outcome : addPhoto(context, photo, outcome.view).then(() => outcome);
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
  const isSpill = parseBoolean(fields.spilled) === true;
  const hasTime = ![undefined, null, ''].includes(fields.pour_time as string | null | undefined);
  const isIgnored = (name: string) => (isSpill && ignoredForSpills.has(name)) || (name === 'now' && !hasTime);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isIgnored(name)));
}

function spill(context: RouteContext, tap: string, body: PourBody): Outcome {
  const measured = { tap, ...toMeasurement(context, body) };
  const { keg } = context.engine.drinks.pours.spill(measured, context.now);
  return { kind: 'spill', keg };
}

function drink(
  context: RouteContext,
  tap: string,
  body: PourBody,
  leftOut: LeftOut,
): Extract<Outcome, { kind: 'drink' }> {
  const { engine, now } = context;
  const ago = agoMs(body);
  const view = engine.drinks.pours.reportInFull(
    {
      tap,
      ...toMeasurement(context, body),
      ...omitUndefined({
        ...fitTexts(body, leftOut),
        agoMs: ago,
        clientClock: ago === undefined ? undefined : { endS: body.pour_time!, nowS: body.now! },
        durationMs: body.duration === undefined ? undefined : clampDuration(body.duration) * 1000,
        series: body.tick_time_series,
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
  const pourId = body.pour_id === undefined ? idempotencyKey(context) : toPourId(body.pour_id);
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
