import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { type Actor, type AuditEntry, type Engine, vias } from '../../../engine/engine.ts';
import type { HttpExtension } from '../../extension.ts';
import { parseTimeSpan, timeSpanFields, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import {
  AnyObject,
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
} from '../../routes/schemas.ts';
import { PagingJson, pageFields, pagingJson, toPageRequest } from '../shared/paging.ts';
import { toUserFilter, userFilterFields } from '../shared/user-filter.ts';

const auditEntrySchema = (ofExtensions: readonly string[]) =>
  named(
    'AuditEntry',
    Closed(
      {
        id: Id,
        time: { ...IsoSeconds, description: 'UTC time of the action.' },
        user_id: Nullable(
          Type.String({
            description:
              'Username of who did it, of a login of whose account it is; null for the daemon and the console (`via`), and for a user who was erased.',
          }),
        ),
        via: Type.Enum([...vias, ...ofExtensions], {
          description:
            'How: `tablet` is by PIN on the shared tablet named in `tablet`; `daemon` is the daemon itself, `link` is a link in a message.',
        }),
        tablet: Nullable(Type.String({ description: 'Name of the tablet at that time.' })),
        action: Type.String({ description: 'What was done, such as `drink.cancelled`.' }),
        subject_kind: Type.String({ description: 'Kind of the thing that was changed, such as `drink`.' }),
        subject_id: Type.String({ description: 'Its id, as text.' }),
        before: Nullable(
          AnyObject(
            'The changed fields before the action, as stored (ids are numbers); null when nothing was there.',
          ),
        ),
        after: Nullable(
          AnyObject(
            'The changed fields after the action, as stored (ids are numbers); null when nothing is left.',
          ),
        ),
        can_undo: Type.Boolean({
          description:
            'True for a change that is not undone yet and that the user of the request may undo, by ' +
            '`POST /api/corrections/{id}/undo`, of a `pin` by `POST /api/hardware/changes/{id}/undo`. A superuser may have to ' +
            'confirm the password first, and it may be refused for what has happened since.',
        }),
        undone_by: Nullable({
          ...Id,
          description: 'Id of the entry that undid it; null unless it was undone.',
        }),
      },
      { description: 'An entry of the audit log.' },
    ),
  );

/** The audit log: who changed what, when, from what to what. */
export const auditRoute = (ofExtensions: readonly HttpExtension[]): Route =>
  defineRoute({
    id: 'listAudit',
    method: 'get',
    path: '/audit',
    summary: 'List the audit log, newest first',
    description:
      'Filters may be combined; `subject_kind` and `subject_id` only with each other. Passwords, PINs, keys and ' +
      'e-mail addresses are in no entry. The user of the request may undo entries with `can_undo` by their id. Logins and attempts ' +
      '(`subject_kind` `login`, the address as `subject_id`, the account that was tried as `user_id`) are listed for superusers only; one entry may ' +
      'stand for several of a minute, with their numbers in `after`. They are removed after 90 days, or beyond 2000 logins and 4000 others.',
    access: 'staff',
    accepts: {
      query: Open({
        ...pageFields,
        ...userFilterFields,
        action: Maybe(
          Type.String({ maxLength: 64, description: 'Only this action, such as `drink.cancelled`.' }),
        ),
        subject_kind: Maybe(
          Type.String({
            maxLength: 32,
            description: 'Kind of one thing, such as `drink`; requires `subject_id`.',
          }),
        ),
        subject_id: Maybe(
          Type.String({ maxLength: 256, description: 'Id of the thing; requires `subject_kind`.' }),
        ),
        is_login: Maybe(
          Type.Boolean({
            description: 'True for logins and attempts only (superusers), false for all but those.',
          }),
        ),
        ...timeSpanFields,
      }),
    },
    errors: { not_allowed: ['superuser_needed'] },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        entries: Type.Array(auditEntrySchema(ofExtensions.flatMap(({ auditVias = [] }) => auditVias)), {
          description: 'The entries of this page.',
        }),
      }),
    },
    run(context, { query }) {
      const { engine, addressWith } = context;
      const { action, subject_kind: kind, subject_id: id } = query;
      if ((kind === undefined) !== (id === undefined)) {
        throw validationError(
          kind === undefined ? 'subject_kind' : 'subject_id',
          'is required with the other',
        );
      }
      const isSuperuser = context.user?.isSuperuser === true;
      if (query.is_login === true && !isSuperuser)
        throw new AppError('not_allowed', 'Only a superuser may do this.', {
          reason: { name: 'superuser_needed' },
        });
      const page = engine.audit.list({
        ...toPageRequest(query),
        ...omitUndefined({
          username: toUserFilter(query),
          action,
          isLogin: isSuperuser ? query.is_login : false,
        }),
        ...(kind === undefined || id === undefined ? {} : { subject: { kind, id } }),
        ...parseTimeSpan(engine, query),
      });
      return {
        paging: pagingJson(page, addressWith),
        entries: page.items.map(auditEntryJson(engine, requestActor(context))),
      };
    },
  });

const auditEntryJson =
  (engine: Engine, actor: Actor) =>
  (entry: AuditEntry): Static<ReturnType<typeof auditEntrySchema>> => ({
    id: entry.id,
    time: isoSeconds(entry.timeMs),
    user_id: entry.username,
    via: entry.via,
    tablet: entry.tablet,
    action: entry.action,
    subject_kind: entry.subject.kind,
    subject_id: entry.subject.id,
    before: parseObject(entry.before),
    after: parseObject(entry.after),
    can_undo: engine.corrections.mayUndo(entry, actor),
    undone_by: entry.undoneBy,
  });

const parseObject = (json: string | null): object | null => {
  const value: unknown = json === null ? null : JSON.parse(json);
  return typeof value === 'object' ? value : { value };
};
