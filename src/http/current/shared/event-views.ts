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
  Closed({
    id: TextId,
    start_time: IsoSeconds,
    end_time: IsoSeconds,
    volume_ml: TotalMl,
    name: Nullable(Type.String()),
    timezone: Type.String({ description: 'IANA zone of the site when the session began.' }),
  }),
);

export const EventKind = Type.Enum([
  'keg_tapped',
  'keg_ended',
  'session_started',
  'session_joined',
  'drink_poured',
  'keg_volume_low',
]);

export const EventJson = named(
  'Event',
  Closed({
    id: Id,
    kind: EventKind,
    time: IsoSeconds,
    drink_id: Nullable(Id),
    keg_id: Nullable(Id),
    session_id: Nullable(TextId),
    user_id: Nullable(Type.String({ description: 'Username.' })),
  }),
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
