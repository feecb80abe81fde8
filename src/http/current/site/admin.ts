import Type from 'typebox';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, Maybe, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

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
      const { isMailConfigured, users, newUsers, heldPours } = engine.overview.dashboard(now);
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
      'At most the last thousand lines, those of earlier runs included. Keys, passwords, tokens and e-mail ' +
      'addresses are removed.',
    access: 'staff',
    accepts: {
      query: Open({
        level: Maybe(Type.Enum([...levels], { default: 'info', description: 'Lowest severity to list.' })),
        limit: Maybe(
          Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Maximum number of lines.' }),
        ),
      }),
    },
    replies: {
      status: 200,
      body: Closed({
        logs: Type.Array(
          Closed({
            level: Level,
            time: { ...IsoSeconds, description: 'UTC time of the line.' },
            msg: Type.String({ description: 'What happened.' }),
            details: Type.String({ description: 'Further fields of the line as JSON; may be empty.' }),
          }),
          { description: 'Newest first.' },
        ),
      }),
    },
    run(_context, { query: { level = 'info', limit = 100 } }) {
      const minimumLevel = levels.indexOf(level);
      const lines = admin.recentLog().filter((line) => levels.indexOf(line.level) >= minimumLevel);
      return {
        logs: lines.slice(0, limit).map((line) => ({
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
