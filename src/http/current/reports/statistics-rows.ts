import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Engine, StatisticsRow } from '../../../engine/engine.ts';
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
import { PagingJson, pageFields, pagingJson, toPageRequest } from '../shared/paging.ts';
import { StatisticsJson, statisticsJson } from './statistics.ts';

/** Rows of a page. A row may need some ten milliseconds: a regular has thousands of drinks. */
const rowsPerPage = { standard: 10, most: 100 };

const RowJson = named(
  'StatisticsRow',
  Closed(
    {
      id: {
        ...Id,
        description: 'Identifier of the row. It stays the same while the row’s subject has drinks.',
      },
      time: { ...IsoSeconds, description: 'When the newest of its drinks was poured, UTC.' },
      drink_id: { ...Id, description: 'The newest of its drinks.' },
      user_id: Nullable(Type.String({ description: 'Username, in the row of a user’s drinks; else null.' })),
      keg_id: Nullable({ ...Id, description: 'In the row of a keg’s drinks; else null.' }),
      session_id: Nullable({ ...TextId, description: 'In the row of a session’s drinks; else null.' }),
      stats: StatisticsJson,
    },
    { description: 'A row of the statistics: of the site, a user, a keg or a session.' },
  ),
);

const listStats = defineRoute({
  id: 'getStats',
  method: 'get',
  path: '/stats',
  summary: 'List the statistics of the site and of each user, keg and session with drinks',
  description:
    'In `stats` the statistics of all drinks, and in `rows` a page with one row for the site and one for each user, keg and ' +
    'session with drinks. A row without `user_id`, `keg_id` and `session_id` is that of the site. All are computed from the ' +
    'drinks as they are now, corrections included; earlier states are not kept.',
  access: 'viewer',
  accepts: {
    query: Open({
      ...pageFields,
      limit: Maybe(
        Type.Integer({
          minimum: 1,
          maximum: rowsPerPage.most,
          default: rowsPerPage.standard,
          description:
            'Maximum number of rows on the page. It has fewer if these would sum up more than 50 000 drinks together.',
        }),
      ),
    }),
  },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      stats: StatisticsJson,
      rows: Type.Array(RowJson, { description: 'The rows of this page.' }),
    }),
  },
  async run({ engine, addressWith }, { query }) {
    const page = engine.reports.statisticsRows.list({ limit: rowsPerPage.standard, ...toPageRequest(query) });
    const rows: Static<typeof RowJson>[] = [];
    for (const row of page.items) {
      // Lets GPIO edges and other requests be handled between rows.
      await yieldToEventLoop();
      const shown = rowJson(engine, row);
      if (shown !== null) rows.push(shown);
    }
    return {
      paging: pagingJson(page, addressWith),
      stats: statisticsJson(engine.reports.statistics.get({ kind: 'site' })),
      rows,
    };
  },
});

const getStatsRow = defineRoute({
  id: 'getStatsRow',
  method: 'get',
  path: '/stats/{id}',
  summary: 'Get one row of the statistics',
  description: 'The row as the list of `GET /api/stats` shows it; 404 when there is none.',
  access: 'viewer',
  accepts: { params: Open({ id: { ...Id, description: 'Identifier of a row of `/api/stats`.' } }) },
  replies: { status: 200, body: Closed({ row: RowJson }) },
  run({ engine }, { params: { id } }) {
    const found = engine.reports.statisticsRows.get(id);
    const row = found && rowJson(engine, found);
    if (row === null)
      throw new AppError('not_found', `There are no statistics with the id ${id}.`, {
        reason: { name: 'not_found' },
      });
    return { row };
  },
});

export const statisticsRowRoutes = [listStats, getStatsRow];

/** Null if the subject has lost its drinks since the page was read. */
function rowJson(engine: Engine, { id, view }: StatisticsRow): Static<typeof RowJson> | null {
  const figures = findStatistics(engine, view);
  const drink = figures && engine.drinks.get(figures.lastDrinkId)?.drink;
  if (!figures || !drink) return null;
  return {
    id,
    time: isoSeconds(drink.pourTimeMs),
    drink_id: drink.id,
    user_id: view.kind === 'user' ? view.username : null,
    keg_id: view.kind === 'keg' ? view.id : null,
    session_id: view.kind === 'session' ? String(view.id) : null,
    stats: statisticsJson(figures),
  };
}

function findStatistics({ reports: { statistics } }: Engine, view: StatisticsRow['view']) {
  try {
    return statistics.get(view);
  } catch (fault) {
    if (fault instanceof AppError && fault.code === 'not_found') return null;
    throw fault;
  }
}
