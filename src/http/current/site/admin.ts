import Type from 'typebox';
import { paginate } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PagingJson, pageFields, pagingJson, toPageRequest } from '../shared/paging.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
const Level = Type.Enum([...levels], { description: 'Severity.' });

/** Dashboard, log and bug report, for staff. */
export const adminRoutes = ({ admin }: Pick<RouteServices, 'admin'>): readonly Route[] => [
  defineRoute({
    id: 'getDashboard',
    method: 'get',
    path: '/admin/dashboard',
    summary: 'Number of accounts, and what waits for staff',
    description: 'Figures for the first page of staff; answered from memory as far as possible.',
    access: 'staff',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        email_configured: Type.Boolean({ description: 'True when a mail server is set.' }),
        num_users: Type.Integer({ minimum: 0, description: 'Active accounts.' }),
        num_new_users: Type.Integer({
          minimum: 0,
          description: 'Active accounts that joined in the last 30 days.',
        }),
        num_held_pours: Type.Integer({ minimum: 0, description: 'Pours held for review.' }),
      }),
    },
    run({ engine, now }) {
      const { isMailConfigured, users, newUsers, heldPours } = engine.reports.overview.dashboard(now);
      return {
        email_configured: isMailConfigured,
        num_users: users,
        num_new_users: newUsers,
        num_held_pours: heldPours,
      };
    },
  }),
  defineRoute({
    id: 'listLogs',
    method: 'get',
    path: '/admin/logs',
    summary: 'The last lines of the log, newest first, with secrets removed',
    description:
      'The last thousand lines are kept, those of earlier runs included. Keys, passwords, tokens and e-mail ' +
      'addresses are removed.',
    access: 'staff',
    accepts: {
      query: Open({
        ...pageFields,
        level: Maybe(Type.Enum([...levels], { default: 'info', description: 'Lowest severity to list.' })),
      }),
    },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        logs: Type.Array(
          Closed({
            id: {
              ...Id,
              description:
                'Number of the line, higher than those before it; counted anew when the daemon starts.',
            },
            level: Level,
            time: { ...IsoSeconds, description: 'UTC time of the line.' },
            msg: Type.String({ description: 'What happened.' }),
            details: Type.String({ description: 'Further fields of the line as JSON; may be empty.' }),
          }),
          { description: 'Newest first.' },
        ),
      }),
    },
    run({ addressWith }, { query: { level = 'info', ...query } }) {
      const minimumLevel = levels.indexOf(level);
      const lines = admin.recentLog().filter((line) => levels.indexOf(line.level) >= minimumLevel);
      const page = paginate(lines, toPageRequest(query));
      return {
        paging: pagingJson(page, addressWith),
        logs: page.items.map((line) => ({
          id: line.id,
          level: line.level,
          time: isoSeconds(line.timeMs),
          msg: line.message,
          details: line.details,
        })),
      };
    },
  }),
  defineRoute({
    id: 'getBugReport',
    method: 'get',
    path: '/admin/bugreport',
    summary: 'A text for a bug report. Contains no names, keys, tokens or addresses',
    description:
      'Version, machine, settings without secrets, health, wiring and the last lines of the log as plain text, for ' +
      'pasting into a report.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ output: Type.String({ description: 'The text.' }) }) },
    async run() {
      return { output: await admin.bugReport() };
    },
  }),
];
