import Type, { type Static } from 'typebox';
import type { AuditEntry } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Nullable, named } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

export const AttemptJson = named(
  'LoginAttempt',
  Closed(
    {
      id: Id,
      time: { ...IsoSeconds, description: 'UTC time.' },
      outcome: Type.Enum(['succeeded', 'failed', 'locked'], {
        description: '`locked` was not checked, because too many were wrong before.',
      }),
      method: Type.String({
        description:
          'How: `password`, `pin`, `link` of a mail, `code` of the set-up, `registration`, `demo`; several with commas.',
      }),
      address: Type.String({ description: 'Address of the device; empty for several.' }),
      tablet: Nullable(Type.String({ description: 'Name of the shared tablet of a PIN.' })),
      count: Type.Integer({ minimum: 1, description: 'Number of attempts that the entry stands for.' }),
    },
    { description: 'A login, or an attempt to log in.' },
  ),
);

/** Logins and attempts of the requester's own account. */
export const ownLoginHistory = defineRoute({
  id: 'listLoginHistory',
  method: 'get',
  path: '/account/login-history',
  summary: 'List logins of your own account, and attempts that failed or were refused, newest first',
  description:
    'With address and method. The first of each address at once, what follows as one entry a minute. Entries are kept for 90 days.',
  access: 'member',
  accepts: { query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      attempts: Type.Array(AttemptJson, { description: 'Newest first.' }),
    }),
  },
  run({ engine, user, addressWith }, { query }) {
    const page = engine.users.loginLog.ofUser(user!, toPageRequest(query));
    return { paging: pagingJson(page, addressWith), attempts: page.items.map(attemptJson) };
  },
});

export const attemptJson = ({
  id,
  timeMs,
  action,
  subject,
  tablet,
  after,
}: AuditEntry): Static<typeof AttemptJson> => {
  const { method = '', succeeded = 0, failed = 0, locked = 0 } = JSON.parse(after ?? '{}');
  return {
    id,
    time: isoSeconds(timeMs),
    outcome: (['failed', 'locked'] as const).find((one) => action === `login.${one}`) ?? 'succeeded',
    method,
    address: subject.id,
    tablet,
    count: Math.max(1, succeeded + failed + locked),
  };
};
