import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { DrinkStatistics, Engine } from '../../../engine/engine.ts';
import { IdParam } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import {
  CalendarDate,
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  Open,
  TextId,
  TotalMl,
} from '../../routes/schemas.ts';
import { uncertaintyField } from '../shared/drink-views.ts';
import { SessionJson, sessionJson } from '../shared/event-views.ts';
import { kegJsonFor } from '../shared/staff-views.ts';
import { KegJson } from '../shared/views.ts';
import { StatisticsJson, statisticsJson } from './statistics.ts';

const Pours = Type.Integer({ minimum: 0, description: 'Number of drinks.' });

const CourseJson = Type.Array(
  Closed({
    time: { ...IsoSeconds, description: 'UTC time of the end of a drink.' },
    drink_id: { ...Id, description: 'Id of that drink.' },
    volume_ml: { ...TotalMl, description: 'From the first drink to this one, in millilitres.' },
  }),
  {
    maxItems: 150,
    description: 'What had been poured when, the earliest first; the last point has all drinks.',
  },
);

const LastSession = {
  last_session: Nullable(SessionJson),
};

const BeverageShareJson = named(
  'BeverageShare',
  Closed(
    {
      beverage_id: { ...TextId, description: 'Id of the beverage, as text.' },
      beverage_name: Type.String({ maxLength: 255, description: 'Name of the beverage.' }),
      volume_ml: { ...TotalMl, description: 'What was drunk of it, in millilitres.' },
    },
    { description: 'A beverage that a user drank.' },
  ),
);

const PersonShareJson = named(
  'PersonShare',
  Closed(
    {
      user_id: Nullable(Type.String({ description: 'Username; null for drinks without a user.' })),
      pours: Pours,
      volume_ml: TotalMl,
    },
    { description: 'What a person drank in a session.' },
  ),
);

const KegShareJson = named(
  'KegShare',
  Closed(
    {
      keg_id: Nullable({ ...Id, description: 'Id of the keg; null where none was on the tap.' }),
      beverage_name: Nullable(
        Type.String({ maxLength: 255, description: 'Name of its beverage; null without a keg.' }),
      ),
      pours: Pours,
      volume_ml: TotalMl,
    },
    { description: 'What came from a keg in a session.' },
  ),
);

const getSystemStats = defineRoute({
  id: 'getSystemStats',
  method: 'get',
  path: '/stats/system',
  summary: 'Get the statistics of all drinks, and the volumes of the last days',
  description:
    'In `stats` sums over all drinks of the site, spills and held pours not included; an empty object before the first drink. ' +
    'Lists name at most a hundred kegs, users and sessions. `days` and `volume_by_hour` are those of the last 30 business ' +
    'days, in the site’s time zone.',
  access: 'viewer',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      stats: StatisticsJson,
      days: Type.Array(
        Closed({
          date: { ...CalendarDate, description: 'Business day, `YYYY-MM-DD`.' },
          pours: Pours,
          volume_ml: TotalMl,
        }),
        { description: 'The last 30 business days, oldest first, today last.' },
      ),
      volume_by_hour: Type.Array(TotalMl, {
        description: 'Millilitres of these days by the hour of the clock at the end of the pour, 0 to 23.',
      }),
    }),
  },
  run({ engine: { reports }, now }) {
    const { days, byHour } = reports.recentDays(now);
    return {
      stats: statisticsJson(reports.statistics.get({ kind: 'site' })),
      days: days.map(({ date, pours, volumeMl }) => ({ date, pours, volume_ml: volumeMl })),
      volume_by_hour: [...byHour],
    };
  },
});

const getUserStats = defineRoute({
  id: 'getUserStats',
  method: 'get',
  path: '/users/{username}/stats',
  summary: 'Get the statistics of a user’s drinks, and the beverages of which the user drank most',
  description:
    'In `stats` sums over the drinks of one user; an empty object before the first drink. `beverages` has at most 20; drinks ' +
    'without a keg are in none. 404 when there is no such user.',
  access: 'viewer',
  accepts: {
    params: Open({
      username: Type.String({ minLength: 1, maxLength: 128, description: 'The user’s name.' }),
    }),
  },
  replies: {
    status: 200,
    body: Closed({
      stats: StatisticsJson,
      beverages: Type.Array(BeverageShareJson, { description: 'The most drunk first.' }),
      ...LastSession,
    }),
  },
  run({ engine }, { params: { username } }) {
    const figures = engine.reports.statistics.get({ kind: 'user', username });
    return {
      stats: statisticsJson(figures),
      beverages: engine.reports.drinkerFigures.favourites(username).map(({ id, name, volumeMl }) => ({
        beverage_id: String(id),
        beverage_name: name,
        volume_ml: volumeMl,
      })),
      last_session: lastSessionJson(engine, figures),
    };
  },
});

const getKegStats = defineRoute({
  id: 'getKegStats',
  method: 'get',
  path: '/kegs/{id}/stats',
  summary: 'Get the statistics of a keg’s drinks, and how it was emptied',
  description:
    'In `stats` sums over the drinks of one keg, spills not included; an empty object before the first drink. `course` leaves ' +
    'drinks out whose time is uncertain. 404 when there is no such keg.',
  access: 'viewer',
  accepts: { params: Open({ id: IdParam }) },
  replies: {
    status: 200,
    body: Closed({
      keg: KegJson,
      remain_uncertainty_ml: uncertaintyField('what is left in the keg'),
      stats: StatisticsJson,
      course: CourseJson,
      ...LastSession,
    }),
  },
  run({ engine, user }, { params: { id } }) {
    const figures = engine.reports.statistics.get({ kind: 'keg', id });
    const keg = engine.kegs.get(id)!;
    return {
      keg: kegJsonFor(user)(keg),
      remain_uncertainty_ml: engine.drinks.uncertainties.keg(keg),
      stats: statisticsJson(figures),
      course: courseJson(engine, 'keg', id),
      last_session: lastSessionJson(engine, figures),
    };
  },
});

const getSessionStats = defineRoute({
  id: 'getSessionStats',
  method: 'get',
  path: '/sessions/{id}/stats',
  summary: 'Get the statistics of a session’s drinks: how it went, its users and kegs',
  description:
    'Sums over the drinks of one session. `users` and `kegs` list at most a hundred, the largest volume first. 404 when ' +
    'there is no such session.',
  access: 'viewer',
  accepts: { params: Open({ id: IdParam }) },
  replies: {
    status: 200,
    body: Closed({
      session: SessionJson,
      stats: StatisticsJson,
      course: CourseJson,
      users: Type.Array(PersonShareJson, { description: 'What each person drank.' }),
      users_count: Type.Integer({ minimum: 0, description: 'Number of users with drinks.' }),
      kegs: Type.Array(KegShareJson, { description: 'What came from each keg.' }),
      pictures_count: Type.Integer({ minimum: 0, description: 'Number of drinks with a picture.' }),
    }),
  },
  run({ engine }, { params }) {
    const session = engine.drinks.events.session(params.id);
    if (!session)
      throw new AppError('not_found', `There is no session ${params.id}.`, { reason: { name: 'not_found' } });
    const { people, peopleCount, kegs, pictures } = engine.reports.subjectFigures.sessionShares(session.id);
    return {
      session: sessionJson(session),
      stats: statisticsJson(engine.reports.statistics.get({ kind: 'session', id: session.id })),
      course: courseJson(engine, 'session', session.id),
      users: people.map(({ username, pours, volumeMl }) => ({
        user_id: username,
        pours,
        volume_ml: volumeMl,
      })),
      users_count: peopleCount,
      kegs: kegs.map(({ kegId, beverage, pours, volumeMl }) => ({
        keg_id: kegId,
        beverage_name: beverage,
        pours,
        volume_ml: volumeMl,
      })),
      pictures_count: pictures,
    };
  },
});

/** Statistics of the site, a user, a keg and a session, with all sums that their pages show. */
export const subjectStatisticsRoutes: readonly Route[] = [
  getSystemStats,
  getUserStats,
  getKegStats,
  getSessionStats,
];

const courseJson = (engine: Engine, kind: 'keg' | 'session', id: number): Static<typeof CourseJson> =>
  engine.reports.subjectFigures.course(kind, id).map(({ timeMs, drinkId, volumeMl }) => ({
    time: isoSeconds(timeMs),
    drink_id: drinkId,
    volume_ml: volumeMl,
  }));

function lastSessionJson({ reports }: Engine, figures: DrinkStatistics | null) {
  const session = reports.subjectFigures.newestSession(figures?.sessions ?? []);
  return session && sessionJson(session);
}
