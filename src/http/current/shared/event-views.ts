import Type, { type Static } from 'typebox';
import type { Session } from '../../../core/records.ts';
import type { SystemEvent } from '../../../core/system-events.ts';
import type { Engine } from '../../../engine/engine.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  TextId,
  TotalMl,
  VolumeMl,
} from '../../routes/schemas.ts';
import { PictureJson, pictureJson } from './views.ts';

export const SessionJson = named(
  'Session',
  Closed(
    {
      id: TextId,
      start_time: { ...IsoSeconds, description: 'UTC time of the first pour.' },
      end_time: {
        ...IsoSeconds,
        description:
          'UTC time at which the session ends unless somebody pours before: the last pour plus the session timeout that the site had then, 180 minutes by default.',
      },
      volume_ml: { ...TotalMl, description: 'Sum of the drinks of the session in millilitres.' },
      name: Nullable(Type.String({ maxLength: 256, description: 'Name of the session; null without one.' })),
      timezone: Type.String({ description: 'IANA zone of the site when the session began.' }),
    },
    { description: 'A session: a period of drinking.' },
  ),
);

export const EventKind = Type.Enum(
  [
    'keg_tapped',
    'keg_ended',
    'session_started',
    'session_joined',
    'session_merged',
    'drink_poured',
    'keg_volume_low',
  ],
  {
    description:
      '`keg_tapped`, `keg_ended`: a keg was put on a tap, or finished; `session_started`, `session_joined`: the first drink of a session, or of a user in it; `session_merged`: a late drink or a correction made two sessions one; `drink_poured`: a drink; `keg_volume_low`: a keg fell below the threshold of the site.',
  },
);

export const EventJson = named(
  'Event',
  Closed(
    {
      id: Id,
      kind: EventKind,
      time: { ...IsoSeconds, description: 'UTC time of what is reported.' },
      drink_id: Nullable({ ...Id, description: 'Id of the drink; null for an event without one.' }),
      keg_id: Nullable({ ...Id, description: 'Id of the keg; null for an event without one.' }),
      session_id: Nullable({
        ...TextId,
        description: 'Id of the session, as text; null for an event without one.',
      }),
      merged_session_id: Maybe({
        ...TextId,
        description:
          'Of `session_merged`: the session that is part of `session_id` now, as text. Absent for other events.',
      }),
      user_id: Nullable(
        Type.String({ maxLength: 128, description: 'Username of the drinker; null without one.' }),
      ),
      volume_ml: Nullable({
        ...VolumeMl,
        description: 'Volume of the drink in millilitres, as it is now; null for an event without a drink.',
      }),
      beverage_name: Nullable(
        Type.String({ maxLength: 255, description: 'Beverage of the keg; null for an event without a keg.' }),
      ),
      shout: Nullable(
        Type.String({ maxLength: 1000, description: 'Comment of the drinker; null without one.' }),
      ),
      picture: Nullable(PictureJson),
    },
    { description: 'An event of the site.' },
  ),
);

export const sessionJson = (session: Session): Static<typeof SessionJson> => ({
  id: String(session.id),
  start_time: isoSeconds(session.startTimeMs),
  end_time: isoSeconds(session.endTimeMs),
  volume_ml: session.volumeMl,
  name: session.name,
  timezone: session.timeZone,
});

/** Returns the view of an event, with what is shown of its drink and keg. */
export const eventJsonFor =
  (engine: Engine) =>
  (event: SystemEvent): Static<typeof EventJson> => {
    const drink = event.drinkId === null ? null : (engine.drinks.get(event.drinkId)?.drink ?? null);
    const keg = event.kegId === null ? null : engine.kegs.get(event.kegId);
    const isPour = event.kind === 'drink_poured';
    return {
      ...eventFields(event),
      volume_ml: drink?.volumeMl ?? null,
      beverage_name: (keg && engine.kegs.beverage(keg.beverageId)?.name) ?? null,
      shout: isPour ? (drink?.shout ?? null) : null,
      picture: drink && isPour ? pictureJson(engine.pictures.ofDrink(drink.id)) : null,
    };
  };

const eventFields = (event: SystemEvent) => ({
  id: event.id,
  kind: event.kind,
  time: isoSeconds(event.timeMs),
  drink_id: event.drinkId,
  keg_id: event.kegId,
  session_id: event.sessionId === null ? null : String(event.sessionId),
  ...(event.mergedSessionId === null ? {} : { merged_session_id: String(event.mergedSessionId) }),
  user_id: event.username,
});
