import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Session } from '../../../core/records.ts';
import { type Engine, paginate, type SessionDay } from '../../../engine/engine.ts';
import { IdParam } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
  TextId,
} from '../../routes/schemas.ts';
import { uncertaintyField } from '../shared/drink-views.ts';
import { SessionJson, sessionJson } from '../shared/event-views.ts';
import { PageQuery, PagingJson, pagingJson, timedPageFields, toPageRequest } from '../shared/paging.ts';
import { PictureJson, pictureJson } from '../shared/views.ts';

const integerFilter = (minimum: number, maximum: number, description: string) =>
  Maybe(Type.Integer({ minimum, maximum, description }));

const OneSessionJson = Closed({
  session: SessionJson,
  uncertainty_ml: uncertaintyField('the sum of its drinks'),
});

const oneSessionJson = (engine: Engine, session: Session) => ({
  session: sessionJson(session),
  uncertainty_ml: engine.drinks.uncertainties.session(session),
});

const FoundSessionJson = Closed({
  session: SessionJson,
  uncertainty_ml: uncertaintyField('the sum of its drinks'),
  merged_into: Maybe({
    ...TextId,
    description:
      'Id of the session, as text, when the one that was asked for is part of it now. Absent otherwise.',
  }),
});

const listSessions = defineRoute({
  id: 'listSessions',
  method: 'get',
  path: '/sessions',
  summary: 'List sessions, newest first, optionally by the day they began in the site’s time zone',
  description:
    'A session is a period of drinking: the drinks of the site with gaps below the session timeout, in whatever order they ' +
    'were recorded. A late drink may make two sessions one, and a cancelled one may split a session. ' +
    '`month` needs `year`, and `day` needs `month`; days are those of the site’s time zone at the session’s ' +
    'start.',
  access: 'viewer',
  accepts: {
    query: Open({
      ...timedPageFields,
      year: integerFilter(1970, 2100, 'Only sessions that began in this year.'),
      month: integerFilter(1, 12, 'Only sessions that began in this month, 1 is January. Requires `year`.'),
      day: integerFilter(
        1,
        31,
        'Only sessions that began on this day of the month. Ignored without `month`.',
      ),
    }),
  },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      sessions: Type.Array(SessionJson, { description: 'The sessions of this page.' }),
    }),
  },
  run({ engine, addressWith }, { query }) {
    const { year, month, day } = query;
    const page = engine.lists.sessions({
      ...toPageRequest(query),
      ...omitUndefined({ year, month, day }),
    });
    return { paging: pagingJson(page, addressWith), sessions: page.items.map(sessionJson) };
  },
});

const getCurrentSession = defineRoute({
  id: 'getCurrentSession',
  method: 'get',
  path: '/sessions/current',
  summary: 'Get the running session',
  description: '404 when nobody has poured within the session timeout of the site, 180 minutes by default.',
  access: 'viewer',
  accepts: {},
  errors: { not_found: ['no_current_session'] },
  replies: { status: 200, body: OneSessionJson },
  run({ engine, now }) {
    const session = engine.drinks.events.currentSession(now);
    if (!session)
      throw new AppError('not_found', 'There is no session at the moment.', {
        reason: { name: 'no_current_session' },
      });
    return oneSessionJson(engine, session);
  },
});

const getSession = defineRoute({
  id: 'getSession',
  method: 'get',
  path: '/sessions/{id}',
  summary: 'Get a session',
  description:
    'Its drinks are listed by `GET /api/drinks?session=`, its figures by `GET /api/sessions/{id}/stats`. The id of a session that ' +
    'was merged with an earlier one leads to that, here and in all lists; `merged_into` names it.',
  access: 'viewer',
  accepts: { params: Open({ id: IdParam }) },
  replies: { status: 200, body: FoundSessionJson },
  run({ engine }, { params }) {
    const session = engine.drinks.events.session(params.id);
    if (!session)
      throw new AppError('not_found', `There is no session ${params.id}.`, { reason: { name: 'not_found' } });
    const isMerged = session.id !== params.id;
    return { ...oneSessionJson(engine, session), ...(isMerged ? { merged_into: String(session.id) } : {}) };
  },
});

const DrinkPictureJson = named(
  'DrinkPicture',
  Closed(
    {
      drink_id: { ...Id, description: 'Id of the drink.' },
      pour_time: { ...IsoSeconds, description: 'UTC time of the end of its pour.' },
      user_id: Nullable(
        Type.String({ maxLength: 128, description: 'Username of the drinker; null when unknown.' }),
      ),
      picture: PictureJson,
    },
    { description: 'A picture of a drink.' },
  ),
);

const listSessionPictures = defineRoute({
  id: 'listSessionPictures',
  method: 'get',
  path: '/sessions/{id}/pictures',
  summary: 'List the pictures of a session’s drinks, those of the last drinks first',
  description: 'One picture of each drink that has one, by descending id of the drink.',
  access: 'viewer',
  accepts: { params: Open({ id: IdParam }), query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      pictures: Type.Array(DrinkPictureJson, { description: 'The pictures of this page.' }),
    }),
  },
  run({ engine, addressWith }, { params, query }) {
    const pictures = engine.pictures.ofSession(params.id).map((one) => ({ ...one, id: one.drinkId }));
    const page = paginate(pictures, toPageRequest(query));
    return {
      paging: pagingJson(page, addressWith),
      pictures: page.items.map((one) => ({
        drink_id: one.drinkId,
        pour_time: isoSeconds(one.pourTimeMs),
        user_id: one.username,
        picture: pictureJson(one.picture)!,
      })),
    };
  },
});

const Sessions = Type.Integer({ minimum: 1, description: 'Number of sessions that began then.' });

const getSessionDirectory = defineRoute({
  id: 'getSessionDirectory',
  method: 'get',
  path: '/sessions/directory',
  summary: 'List the days on which sessions began, newest first, in the time zone that the site had then',
  description:
    'Counts of sessions by year, month and day, for a calendar. Bounded by the number of days on which something ' +
    'was poured; cached until a session begins.',
  access: 'viewer',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      years: Type.Array(
        Closed({
          year: Type.Integer({ minimum: 1970, maximum: 9999, description: 'Calendar year.' }),
          count: Sessions,
          months: Type.Array(
            Closed({
              month: Type.Integer({
                minimum: 1,
                maximum: 12,
                description: 'Month of the year; 1 is January.',
              }),
              count: Sessions,
              days: Type.Array(
                Closed({
                  day: Type.Integer({ minimum: 1, maximum: 31, description: 'Day of the month.' }),
                  count: Sessions,
                }),
                { description: 'Days with sessions, newest first.' },
              ),
            }),
            { description: 'Months with sessions, newest first.' },
          ),
        }),
        { description: 'Years with sessions, newest first.' },
      ),
    }),
  },
  run: ({ engine }) => ({ years: directoryJson(engine.reports.statistics.sessionDays()) }),
});

export const sessionRoutes = [
  listSessions,
  getCurrentSession,
  getSessionDirectory,
  getSession,
  listSessionPictures,
];

function directoryJson(days: readonly SessionDay[]) {
  const years: { year: number; count: number; months: MonthJson[] }[] = [];
  for (const { year, month, day, sessions } of days) {
    if (years.at(-1)?.year !== year) years.push({ year, count: 0, months: [] });
    const yearEntry = years.at(-1)!;
    if (yearEntry.months.at(-1)?.month !== month) yearEntry.months.push({ month, count: 0, days: [] });
    const monthEntry = yearEntry.months.at(-1)!;
    monthEntry.days.push({ day, count: sessions });
    monthEntry.count += sessions;
    yearEntry.count += sessions;
  }
  return years;
}

interface MonthJson {
  readonly month: number;
  count: number;
  readonly days: { readonly day: number; readonly count: number }[];
}
