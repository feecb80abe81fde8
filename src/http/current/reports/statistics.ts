import Type, { type Static } from 'typebox';
import type { DrinkStatistics, StatisticsView } from '../../../engine/engine.ts';
import { IdParam } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, named, Open, TextId, TotalMl, VolumeMl } from '../../routes/schemas.ts';

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
          description: `Usernames in the order of first drinks, \`${guestName}\` for drinks without a user; the 100 who drank last.`,
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

const ById = Open({ id: IdParam });
const ByName = Open({
  username: Type.String({ minLength: 1, maxLength: 128, description: 'The user’s name.' }),
});

const replies = { status: 200, body: Closed({ stats: StatisticsJson }) } as const;

function statisticsRoute<P extends Type.TObject>(
  route: {
    readonly id: string;
    readonly path: string;
    readonly summary: string;
    readonly description: string;
    readonly params: P;
  },
  view: (params: Static<P>) => StatisticsView,
): Route {
  const { params: accepted, ...declared } = route;
  return defineRoute({
    ...declared,
    method: 'get',
    access: 'viewer',
    accepts: { params: accepted },
    replies,
    run: ({ engine }, { params }) => ({
      stats: statisticsJson(engine.reports.statistics.get(view(params as Static<P>))),
    }),
  });
}

export const statisticsRoutes: readonly Route[] = [
  statisticsRoute(
    {
      id: 'getSystemStats',
      path: '/stats/system',
      summary: 'Get the statistics of all drinks',
      description:
        'Sums over all drinks of the site, spills and held pours not included; an empty object before the first drink. Lists name at most a hundred kegs, drinkers and sessions.',
      params: Open({}),
    },
    () => ({ kind: 'site' }),
  ),
  statisticsRoute(
    {
      id: 'getUserStats',
      path: '/users/{username}/stats',
      summary: 'Get the statistics of a user’s drinks',
      description:
        'Sums over the drinks of one user; an empty object before the first drink. 404 when there is no such user.',
      params: ByName,
    },
    ({ username }) => ({ kind: 'user', username }),
  ),
  statisticsRoute(
    {
      id: 'getKegStats',
      path: '/kegs/{id}/stats',
      summary: 'Get the statistics of a keg’s drinks',
      description:
        'Sums over the drinks of one keg, spills not included; an empty object before the first drink. 404 when there is no such keg.',
      params: ById,
    },
    ({ id }) => ({ kind: 'keg', id }),
  ),
  statisticsRoute(
    {
      id: 'getSessionStats',
      path: '/sessions/{id}/stats',
      summary: 'Get the statistics of a session’s drinks',
      description: 'Sums over the drinks of one session. 404 when there is no such session.',
      params: ById,
    },
    ({ id }) => ({ kind: 'session', id }),
  ),
];
