import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Drink } from '../../core/records.ts';
import type { DrinkView, Engine } from '../../engine/engine.ts';
import { Closed, DurationSeconds, Id, Maybe, named, Ticks, VolumeMl } from '../routes/schemas.ts';
import { KegKegbot, kegKegbot } from './kegbot-beer.ts';
import { kegWithBeer } from './kegbot-lookups.ts';
import { PictureKegbot, pictureKegbot } from './kegbot-pictures.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';
import { SessionKegbot, sessionKegbot, UserKegbot, userKegbot } from './kegbot-users.ts';

export const DrinkKegbot = named(
  'KegbotDrink',
  Closed(
    {
      id: Id,
      url: Type.String({ description: 'Path of its page.' }),
      ticks: Ticks,
      volume_ml: VolumeMl,
      time: { ...KegbotTime, description: 'UTC time of the end of the pour.' },
      duration: DurationSeconds,
      session_id: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Id of the session; 0 while the pour is held for review and belongs to none.',
      }),
      keg_id: Maybe({ ...Id, description: 'Id of the keg; absent without one.' }),
      user_id: Maybe(Type.String({ description: 'Username of the drinker; absent when unknown.' })),
      shout: Maybe(Type.String({ description: 'Comment of the drinker; absent without one.' })),
      tick_time_series: Maybe(
        Type.String({
          description: 'When the ticks were counted, `<ms>:<ticks>` pairs; absent when unknown.',
        }),
      ),
      user: Maybe(UserKegbot),
      keg: Maybe(KegKegbot),
      session: Maybe(SessionKegbot),
      images: Maybe(Type.Array(PictureKegbot, { description: 'Its picture; absent without one.' })),
    },
    { description: 'A drink.' },
  ),
);

/** A drink without related objects, in the kegbot format; null fields are left out. */
export const drinkKegbot = (drink: Drink): Static<typeof DrinkKegbot> => ({
  id: drink.id,
  url: `/drinks/${drink.id}/`,
  ticks: drink.ticks,
  volume_ml: drink.volumeMl,
  time: kegbotTime(drink.pourTimeMs),
  duration: Math.round(drink.durationMs / 1000),
  // Clients require it.
  session_id: drink.sessionId ?? 0,
  ...omitUndefined({
    keg_id: drink.kegId ?? undefined,
    user_id: drink.username ?? undefined,
    shout: drink.shout || undefined,
    tick_time_series: drink.series || undefined,
  }),
});

/** A drink with its user, keg, session and picture. */
export const drinkDetailKegbot = (
  engine: Engine,
  { drink, keg, user, session }: DrinkView,
): Static<typeof DrinkKegbot> => {
  const picture = engine.pictures.ofDrink(drink.id);
  return {
    ...drinkKegbot(drink),
    ...omitUndefined({
      user: user ? userKegbot(user) : undefined,
      keg: keg ? kegKegbot(kegWithBeer(engine, keg)) : undefined,
      session: session ? sessionKegbot(session) : undefined,
      images: picture ? [pictureKegbot(picture, drink)] : undefined,
    }),
  };
};
