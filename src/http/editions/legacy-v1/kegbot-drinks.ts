import Type, { type Static } from 'typebox';
import type { Session, User } from '../../../core/ledger.ts';
import type { DrinkView, Engine } from '../../../engine/engine.ts';
import { Closed, DurationSeconds, Id, Maybe, named, Ticks, TotalMl, VolumeMl } from '../../schemas.ts';
import { KegKegbot, kegKegbot } from './kegbot-beer.ts';
import { kegWithBeer } from './kegbot-lookups.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';

const UserKegbot = named(
  'KegbotUser',
  Closed({
    username: Type.String(),
    url: Type.String(),
    is_active: Type.Boolean(),
    display_name: Type.String(),
  }),
);

const SessionKegbot = named(
  'KegbotSession',
  Closed({
    id: Id,
    url: Type.String(),
    start_time: KegbotTime,
    end_time: KegbotTime,
    volume_ml: TotalMl,
    name: Type.String({ description: 'Empty when nobody gave one.' }),
  }),
);

export const DrinkKegbot = named(
  'KegbotDrink',
  Closed({
    id: Id,
    url: Type.String(),
    ticks: Ticks,
    volume_ml: VolumeMl,
    time: KegbotTime,
    duration: DurationSeconds,
    session_id: Maybe(Id),
    keg_id: Maybe(Id),
    user_id: Maybe(Type.String()),
    shout: Maybe(Type.String()),
    tick_time_series: Maybe(Type.String()),
    user: Maybe(UserKegbot),
    keg: Maybe(KegKegbot),
    session: Maybe(SessionKegbot),
  }),
);

/** A drink in the form of the existing controllers, with all it belongs to; what has no value is left out. */
export function drinkKegbot(engine: Engine, view: DrinkView): Static<typeof DrinkKegbot> {
  const { drink, keg, user, session } = view;
  return {
    id: drink.id,
    url: `/drinks/${drink.id}/`,
    ticks: drink.ticks,
    volume_ml: drink.volumeMl,
    time: kegbotTime(drink.pourTimeMs),
    duration: Math.round(drink.durationMs / 1000),
    ...(drink.sessionId === null ? {} : { session_id: drink.sessionId }),
    ...(drink.kegId === null ? {} : { keg_id: drink.kegId }),
    ...(drink.username === null ? {} : { user_id: drink.username }),
    ...(drink.shout ? { shout: drink.shout } : {}),
    ...(drink.series ? { tick_time_series: drink.series } : {}),
    ...(user ? { user: userKegbot(user) } : {}),
    ...(keg ? { keg: kegKegbot(kegWithBeer(engine, keg)) } : {}),
    ...(session ? { session: sessionKegbot(session) } : {}),
  };
}

const userKegbot = (user: User): Static<typeof UserKegbot> => ({
  username: user.username,
  url: `/drinkers/${encodeURIComponent(user.username)}/`,
  is_active: user.isActive,
  display_name: user.displayName,
});

function sessionKegbot(session: Session): Static<typeof SessionKegbot> {
  const start = new Date(session.startTimeMs);
  const day = `${start.getUTCFullYear()}/${start.getUTCMonth() + 1}/${start.getUTCDate()}`;
  return {
    id: session.id,
    url: `/sessions/${day}/${session.id}/`,
    start_time: kegbotTime(session.startTimeMs),
    end_time: kegbotTime(session.endTimeMs),
    volume_ml: session.volumeMl,
    name: session.name ?? '',
  };
}
