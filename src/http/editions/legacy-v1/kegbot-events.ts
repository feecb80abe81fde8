import Type, { type Static } from 'typebox';
import type { SystemEvent } from '../../../core/ledger.ts';
import type { Engine } from '../../../engine/engine.ts';
import { Closed, Id, Maybe, named } from '../../schemas.ts';
import { KegKegbot, kegKegbot } from './kegbot-beer.ts';
import { DrinkKegbot, drinkInFullKegbot } from './kegbot-drinks.ts';
import { kegWithBeer } from './kegbot-lookups.ts';
import { SessionKegbot, sessionInFullKegbot, UserKegbot, userKegbot } from './kegbot-people.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';

export const EventKegbot = named(
  'KegbotEvent',
  Closed({
    id: Id,
    kind: Type.String(),
    time: KegbotTime,
    drink_id: Maybe(Id),
    keg_id: Maybe(Id),
    session_id: Maybe(Id),
    user_id: Maybe(Type.String()),
    drink: Maybe(DrinkKegbot),
    keg: Maybe(KegKegbot),
    session: Maybe(SessionKegbot),
    user: Maybe(UserKegbot),
  }),
);

/** A line of the diary, by ids alone. */
export const eventKegbot = (event: SystemEvent): Static<typeof EventKegbot> => ({
  id: event.id,
  kind: event.kind,
  time: kegbotTime(event.timeMs),
  ...(event.drinkId === null ? {} : { drink_id: event.drinkId }),
  ...(event.kegId === null ? {} : { keg_id: event.kegId }),
  ...(event.sessionId === null ? {} : { session_id: event.sessionId }),
  ...(event.username === null ? {} : { user_id: event.username }),
});

/** The same with all it tells of. */
export function eventInFullKegbot(
  engine: Engine,
  event: SystemEvent,
  nowMs: number,
): Static<typeof EventKegbot> {
  const drink = event.drinkId === null ? null : engine.drinks.get(event.drinkId);
  const keg = event.kegId === null ? null : engine.kegs.get(event.kegId);
  const session = event.sessionId === null ? null : engine.diary.session(event.sessionId);
  const user = event.username === null ? null : engine.people.user(event.username);
  return {
    ...eventKegbot(event),
    ...(drink ? { drink: drinkInFullKegbot(engine, drink) } : {}),
    ...(keg ? { keg: kegKegbot(kegWithBeer(engine, keg)) } : {}),
    ...(session ? { session: sessionInFullKegbot(session, nowMs) } : {}),
    ...(user ? { user: userKegbot(user) } : {}),
  };
}
