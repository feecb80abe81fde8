import Type, { type Static } from 'typebox';
import type { Session, SystemEvent } from '../../../core/records.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  TextId,
  TotalMl,
} from '../../routes/schemas.ts';

export const SessionJson = named(
  'Session',
  Closed(
    {
      id: TextId,
      start_time: { ...IsoSeconds, description: 'UTC time of the first pour.' },
      end_time: {
        ...IsoSeconds,
        description:
          'UTC time at which the session ends unless somebody pours before: the last pour plus the session timeout of the site, 180 minutes by default.',
      },
      volume_ml: { ...TotalMl, description: 'Sum of the drinks of the session in millilitres.' },
      name: Nullable(Type.String({ maxLength: 256, description: 'Name of the session; null without one.' })),
      timezone: Type.String({ description: 'IANA zone of the site when the session began.' }),
    },
    { description: 'A session: a period of drinking.' },
  ),
);

export const EventKind = Type.Enum(
  ['keg_tapped', 'keg_ended', 'session_started', 'session_joined', 'drink_poured', 'keg_volume_low'],
  {
    description:
      '`keg_tapped`, `keg_ended`: a keg was put on a tap, or finished; `session_started`, `session_joined`: the first drink of a session, or of a user in it; `drink_poured`: a drink; `keg_volume_low`: a keg fell below the threshold of the site.',
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
      user_id: Nullable(
        Type.String({ maxLength: 128, description: 'Username of the drinker; null without one.' }),
      ),
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

export const eventJson = (event: SystemEvent): Static<typeof EventJson> => ({
  id: event.id,
  kind: event.kind,
  time: isoSeconds(event.timeMs),
  drink_id: event.drinkId,
  keg_id: event.kegId,
  session_id: event.sessionId === null ? null : String(event.sessionId),
  user_id: event.username,
});
