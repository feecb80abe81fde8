import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { OutboxView } from '../../../engine/engine.ts';
import { ProblemJson, problemOrNull } from '../../routes/problem-json.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import {
  Closed,
  described,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
} from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

const State = Type.Enum(['waiting', 'sent', 'skipped', 'dead'], {
  description:
    '`waiting` for its turn or the next attempt; `sent`; `skipped`: the recipient no longer exists; `dead`: given up after the last retry.',
});

const Kind = Type.Enum(['mail', 'webhook', 'alarm'], {
  description: 'Only mails, only webhook calls, or only messages of alarm channels.',
});

const MessageJson = named(
  'OutboxMessage',
  Closed(
    {
      id: Id,
      kind: Type.String({ description: '`mail`, `webhook` or `alarm`.' }),
      topic: Type.String({ description: 'Kind of event, or name of the mail template.' }),
      recipient: Type.String({
        description: 'A URL, an e-mail address, a username, or the name of an alarm channel.',
      }),
      state: State,
      attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
      last_error: Nullable(described(ProblemJson, 'Why the last attempt failed; null without a failure.')),
      created_time: { ...IsoSeconds, description: 'UTC time at which it was queued.' },
    },
    { description: 'An outgoing message.' },
  ),
);

const params = Open({ id: Id });

/** Outgoing messages: waiting, sent, and given up (which can be sent again), for staff. */
export const outboxRoutes: readonly Route[] = [
  defineRoute({
    id: 'listOutbox',
    method: 'get',
    path: '/admin/outbox',
    summary: 'List outgoing messages, newest first, without their content',
    description:
      'Mails and webhook calls are sent after the change that caused them, with growing pauses after failures. Sent ' +
      'ones are kept for some days. Filters may be combined.',
    access: 'staff',
    accepts: { query: Open({ ...PageQuery.properties, state: Maybe(State), kind: Maybe(Kind) }) },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        messages: Type.Array(MessageJson, { description: 'The messages of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query: { state, kind, ...query } }) {
      const page = engine.notifications.outbox.list({
        ...toPageRequest(query),
        ...omitUndefined({ state, kind }),
      });
      return { paging: pagingJson(page, addressWith), messages: page.items.map(messageJson) };
    },
  }),
  defineRoute({
    id: 'sendAgain',
    method: 'post',
    path: '/admin/outbox/{id}/send-again',
    summary: 'Send a given-up message again',
    description:
      'Only a message in state `dead`; others are a 409. It is queued at once with a new count of attempts. Written ' +
      'to the audit log.',
    access: 'staff',
    accepts: { params },
    errors: { conflict: ['message_not_failed'] },
    replies: { status: 202, body: Closed({ message: MessageJson }) },
    run: (context, { params: { id } }) => ({
      message: messageJson(context.engine.notifications.outbox.sendAgain(id, actorContext(context))),
    }),
  }),
  defineRoute({
    id: 'sendAllAgain',
    method: 'post',
    path: '/admin/outbox/send-again',
    summary: 'Send all given-up messages of one kind again',
    description: 'Returns how many were queued. Written to the audit log.',
    access: 'staff',
    accepts: { body: Closed({ kind: Kind }) },
    replies: {
      status: 202,
      body: Closed({
        num_messages: Type.Integer({ minimum: 0, description: 'Number of messages queued again.' }),
      }),
    },
    run: (context, { body: { kind } }) => ({
      num_messages: context.engine.notifications.outbox.sendAllAgain(kind, actorContext(context)),
    }),
  }),
  defineRoute({
    id: 'deleteOutboxMessage',
    method: 'delete',
    path: '/admin/outbox/{id}',
    summary: 'Delete a message. A waiting message is not sent',
    description: 'Cannot be undone. Written to the audit log.',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.notifications.outbox.remove(id, actorContext(context));
      return {};
    },
  }),
];

const messageJson = (message: OutboxView): Static<typeof MessageJson> => ({
  id: message.id,
  kind: message.kind,
  topic: message.topic,
  recipient: message.recipient,
  state: message.state,
  attempts: message.attempts,
  last_error: problemOrNull(message.lastError),
  created_time: isoSeconds(message.createdTimeMs),
});
