import Type from 'typebox';
import type { DaemonDesk } from '../../admin-ports.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, Maybe, Open } from '../../routes/schemas.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
const Level = Type.Enum([...levels]);
const Count = Type.Integer({ minimum: 0 });

/** What staff look at when something is wrong, and what they see first. */
export const adminRoutes = (admin: DaemonDesk | undefined): readonly Route[] => [
  defineRoute({
    id: 'getDashboard',
    method: 'get',
    path: '/admin/dashboard',
    summary: 'How many people there are, and what waits for the staff',
    access: 'staff',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        email_configured: Type.Boolean({ description: 'True when a mail server is set.' }),
        num_users: Type.Integer({ minimum: 0, description: 'Active accounts.' }),
        num_new_users: Type.Integer({ minimum: 0, description: 'Those of them that joined within 30 days.' }),
        num_held_pours: Count,
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
    summary: 'The last lines of the log, the newest first; secrets are struck out',
    access: 'staff',
    accepts: {
      query: Open({
        level: Maybe(Type.Enum([...levels], { default: 'info', description: 'This severity and above.' })),
        limit: Maybe(Type.Integer({ minimum: 1, maximum: 300, default: 100 })),
      }),
    },
    replies: {
      status: 200,
      body: Closed({
        logs: Type.Array(
          Closed({
            level: Level,
            time: IsoSeconds,
            msg: Type.String(),
            details: Type.String({ description: 'What was told beside it, as JSON; may be empty.' }),
          }),
        ),
      }),
    },
    run(_context, { query: { level = 'info', limit = 100 } }) {
      const minimumLevel = levels.indexOf(level);
      const lines = (admin?.recentLog() ?? []).filter((line) => levels.indexOf(line.level) >= minimumLevel);
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
    summary: 'A text for whoever mends the program: no names, keys, tokens or addresses are in it',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ output: Type.String() }) },
    async run() {
      return { output: (await admin?.bugReport()) ?? 'Nothing is known of this house’s daemon.' };
    },
  }),
];
