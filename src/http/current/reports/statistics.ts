import Type, { type Static } from 'typebox';
import type { DrinkStatistics } from '../../../engine/engine.ts';
import { Closed, Id, named, TextId, TotalMl, VolumeMl } from '../../routes/schemas.ts';

/** Name for drinks without a user; no account can have it. */
const guestName = 'guest';

const byKey = (key: string, description: string) =>
  Type.Record(Type.String({ pattern: key }), TotalMl, { description });

export const StatisticsJson = named(
  'Statistics',
  Type.Union(
    [
      Closed({}, { description: 'Without any drink.' }),
      Closed({
        last_drink_id: Id,
        keg_ids: Type.Array(Id, { description: 'In the order of first drinks; the newest 100.' }),
        total_volume_ml: TotalMl,
        total_pours: Type.Integer({ minimum: 1, description: 'Number of drinks.' }),
        average_volume_ml: TotalMl,
        greatest_volume_ml: VolumeMl,
        greatest_volume_id: Id,
        volume_by_day_of_week: byKey(
          '^[0-6]$',
          'Millilitres by the weekday on which the session began, in the site’s time zone at that time; 0 is Sunday.',
        ),
        volume_by_year: byKey('^\\d{4}$', 'Millilitres by the year of the pour, in UTC.'),
        registered_drinkers: Type.Array(Type.String(), {
          description: `Usernames in the order of first drinks, \`${guestName}\` for drinks without a user; the 100 who drank most.`,
        }),
        volume_by_drinker: Type.Record(Type.String(), TotalMl, {
          description: 'Millilitres by username, for the same 100.',
        }),
        volume_by_session: byKey('^\\d{1,16}$', 'Millilitres by session, for the newest 100.'),
        sessions_count: Type.Integer({ minimum: 1, description: 'Number of sessions with these drinks.' }),
        has_guest_pour: Type.Boolean({ description: 'True when there are drinks without a user.' }),
        largest_session: Closed(
          { session_id: TextId, volume_ml: TotalMl },
          { description: 'Its volume includes the drinks of everybody.' },
        ),
      }),
    ],
    { description: 'Sums over drinks; an empty object without any drink.' },
  ),
);

export function statisticsJson(figures: DrinkStatistics | null): Static<typeof StatisticsJson> {
  if (figures === null) return {};
  const drinkers = figures.drinkers.map(
    ({ username, volumeMl }) => [username ?? guestName, volumeMl] as const,
  );
  return {
    last_drink_id: figures.lastDrinkId,
    keg_ids: [...figures.kegIds],
    total_volume_ml: figures.volumeMl,
    total_pours: figures.pours,
    average_volume_ml: figures.volumeMl / figures.pours,
    greatest_volume_ml: figures.greatest.volumeMl,
    greatest_volume_id: figures.greatest.drinkId,
    volume_by_day_of_week: Object.fromEntries(figures.byWeekday),
    volume_by_year: Object.fromEntries(figures.byYear),
    registered_drinkers: drinkers.map(([username]) => username),
    volume_by_drinker: Object.fromEntries(drinkers),
    volume_by_session: Object.fromEntries(figures.sessions.map(({ id, volumeMl }) => [id, volumeMl])),
    sessions_count: figures.sessionsCount,
    has_guest_pour: figures.hasGuestPour,
    largest_session: {
      session_id: String(figures.largestSession.id),
      volume_ml: figures.largestSession.volumeMl,
    },
  };
}
