import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { SystemEvent } from '../../core/system-events.ts';
import type { Engine } from '../../engine/engine.ts';
import { Closed, Id, Maybe, named } from '../routes/schemas.ts';
import { KegKegbot, kegKegbot } from './kegbot-beer.ts';
import { DrinkKegbot, drinkDetailKegbot } from './kegbot-drinks.ts';
import { kegWithBeer } from './kegbot-lookups.ts';
import { cataloguePictureKegbot, mugshotKegbot, PictureKegbot } from './kegbot-pictures.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';
import { SessionKegbot, sessionDetailKegbot, UserKegbot, userKegbot } from './kegbot-users.ts';

export const EventKegbot = named(
  'KegbotEvent',
  Closed(
    {
      id: Id,
      kind: Type.String({ description: 'Kind of event, such as `drink_poured`.' }),
      time: { ...KegbotTime, description: 'UTC time of what is reported.' },
      drink_id: Maybe({ ...Id, description: 'Id of the drink; absent without one.' }),
      keg_id: Maybe({ ...Id, description: 'Id of the keg; absent without one.' }),
      session_id: Maybe({ ...Id, description: 'Id of the session; absent without one.' }),
      user_id: Maybe(Type.String({ description: 'Username of the drinker; absent without one.' })),
      image: Maybe(PictureKegbot),
      drink: Maybe(DrinkKegbot),
      keg: Maybe(KegKegbot),
      session: Maybe(SessionKegbot),
      user: Maybe(UserKegbot),
    },
    { description: 'An event of the site.' },
  ),
);

/** An event with ids and a picture only. */
export const eventKegbot = (engine: Engine, event: SystemEvent): Static<typeof EventKegbot> => ({
  id: event.id,
  kind: event.kind,
  time: kegbotTime(event.timeMs),
  ...omitUndefined({
    drink_id: event.drinkId ?? undefined,
    keg_id: event.kegId ?? undefined,
    session_id: event.sessionId ?? undefined,
    user_id: event.username ?? undefined,
  }),
  ...imageField(engine, event),
});

/** The picture of the user, or of the keg's beverage. */
function imageField(engine: Engine, { kind, username, kegId }: SystemEvent) {
  switch (kind) {
    case 'drink_poured':
    case 'session_started':
    case 'session_joined': {
      const user = username === null ? null : engine.users.user(username);
      return user ? mugshotKegbot(user) : {};
    }
    case 'keg_tapped':
    case 'keg_ended': {
      const keg = kegId === null ? null : engine.kegs.get(kegId);
      const picture = keg ? engine.kegs.beverage(keg.beverageId)?.picture : null;
      return picture ? { image: cataloguePictureKegbot(picture) } : {};
    }
    default:
      return {};
  }
}

/** An event with its drink, keg, session and user. */
export function eventDetailKegbot(
  engine: Engine,
  event: SystemEvent,
  nowMs: number,
): Static<typeof EventKegbot> {
  const drink = event.drinkId === null ? null : engine.drinks.get(event.drinkId);
  const keg = event.kegId === null ? null : engine.kegs.get(event.kegId);
  const session = event.sessionId === null ? null : engine.drinks.events.session(event.sessionId);
  const user = event.username === null ? null : engine.users.user(event.username);
  return {
    ...eventKegbot(engine, event),
    ...omitUndefined({
      drink: drink ? drinkDetailKegbot(engine, drink) : undefined,
      keg: keg ? kegKegbot(kegWithBeer(engine, keg)) : undefined,
      session: session ? sessionDetailKegbot(session, nowMs) : undefined,
      user: user ? userKegbot(user) : undefined,
    }),
  };
}
