import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Corrected, Engine, Page } from '../../../engine/engine.ts';
import { IdParam } from '../../routes/input-values.ts';
import { type Access, defineRoute, type Route } from '../../routes/route.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed, Open } from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf, correctionOf } from './correction-id.ts';
import { type PageQuery, PagingJson, pageFields, pagingJson } from './paging.ts';

/** The texts of a route in the OpenAPI document. */
interface RouteTexts {
  readonly summary: string;
  readonly description: string;
}

/** One record in replies: its schema, and its view. */
interface RecordReply<R, S extends Type.TSchema> {
  readonly reply: S;
  show(record: R, context: RouteContext): Static<S>;
}

/** A reply with the record as its only property. */
export function inProperty<R, S extends Type.TSchema>(
  name: string,
  json: S,
  show: (record: R) => Static<S>,
): RecordReply<R, Type.TObject<Record<string, S>>> {
  const reply = Closed<Record<string, S>>({ [name]: json });
  return { reply, show: (record) => ({ [name]: show(record) }) as Static<typeof reply> };
}

interface Resource<R, S extends Type.TSchema, P extends Type.TObject> extends RecordReply<R, S> {
  /** Ends the ids of the routes: `Meter` makes `createMeter`, `replaceMeter`, `changeMeter`, `removeMeter`. */
  readonly name: string;
  readonly path: string;
  /** Path of one record, with the parameters of `params`. */
  readonly onePath: string;
  readonly params: P;
  /** Errors of the routes that need any, see `errors` of a route. */
  readonly errors?: ResourceErrors;
}

interface ResourceErrors {
  readonly create?: Route['errors'];
  readonly change?: Route['errors'];
  readonly remove?: Route['errors'];
}

const idParams = Open({ id: IdParam });

/** Declares the routes by which staff create, change and delete the records of one kind. */
export function resource<R, S extends Type.TSchema, P extends Type.TObject>({
  name,
  path,
  onePath,
  params,
  reply,
  show,
  errors = {},
}: Resource<R, S, P>) {
  return {
    create: <B extends Type.TObject>(
      texts: RouteTexts,
      body: B,
      create: (context: RouteContext, body: Static<B>) => R,
      options: { readonly byPin?: boolean } = {},
    ) =>
      defineRoute({
        ...options,
        id: `create${name}`,
        method: 'post',
        path,
        ...texts,
        access: 'staff',
        accepts: { body },
        ...omitUndefined({ errors: errors.create }),
        replies: { status: 201, body: reply },
        run: (context, input) => show(create(context, input.body as Static<B>), context),
      }),

    /** Both methods keep the fields that are left out; `PUT` may require more of them. */
    change: <B extends Type.TObject>(
      texts: RouteTexts,
      bodies: { readonly put: Type.TObject; readonly patch: B },
      change: (
        context: RouteContext,
        params: Static<P>,
        input: { readonly body: Static<B>; readonly method: 'put' | 'patch' },
      ) => R,
    ) =>
      (['put', 'patch'] as const).map((method) =>
        defineRoute({
          id: `${method === 'put' ? 'replace' : 'change'}${name}`,
          method,
          path: onePath,
          ...texts,
          access: 'staff',
          accepts: { params, body: bodies[method] },
          ...omitUndefined({ errors: errors.change }),
          replies: { status: 200, body: reply },
          run(context, input) {
            const body = input.body as Static<B>;
            return show(change(context, input.params as Static<P>, { body, method }), context);
          },
        }),
      ),

    remove: (texts: RouteTexts, remove: (context: RouteContext, params: Static<P>) => void) =>
      defineRoute({
        id: `remove${name}`,
        method: 'delete',
        path: onePath,
        ...texts,
        access: 'staff',
        accepts: { params },
        ...omitUndefined({ errors: errors.remove }),
        replies: { status: 200, body: Closed({}) },
        run(context, input) {
          remove(context, input.params as Static<P>);
          return {};
        },
      }),

    /** Like `remove`, of records whose deletion can be undone; replies with the id for the undo. */
    removeWithUndo: (
      texts: RouteTexts,
      remove: (context: RouteContext, params: Static<P>) => { readonly correction_id: number | null },
    ) =>
      defineRoute({
        id: `remove${name}`,
        method: 'delete',
        path: onePath,
        ...texts,
        access: 'staff',
        accepts: { params },
        ...omitUndefined({ errors: errors.remove }),
        replies: { status: 200, body: Closed(correctionFields) },
        run: (context, input) => remove(context, input.params as Static<P>),
      }),
  };
}

/** Adds the id by which the latest change of the record can be undone. */
function withUndo<R extends { readonly id: number }, P extends Record<string, Type.TSchema>>(
  one: RecordReply<R, Type.TObject<P>>,
  { kind, as }: UndoneAs,
): RecordReply<R, Type.TObject<P>> {
  return {
    reply: Closed({ ...one.reply.properties, ...correctionFields }) as unknown as Type.TObject<P>,
    show: (record, context) => ({
      ...one.show(record, context),
      ...correctionOf(context.engine, as, { kind, id: record.id }),
    }),
  };
}

/** The reply to a change that says by which id it is undone. */
function corrected<R, P extends Record<string, Type.TSchema>>(
  one: RecordReply<R, Type.TObject<P>>,
): RecordReply<Corrected<R>, Type.TObject<P & typeof correctionFields>> {
  const reply = Closed({ ...one.reply.properties, ...correctionFields });
  return {
    reply: reply as unknown as Type.TObject<P & typeof correctionFields>,
    show: (change, context) => ({ ...one.show(change.result, context), ...correctionIdOf(change) }) as never,
  };
}

/** A kind in the audit log, and the kind of its corrections. */
interface UndoneAs {
  readonly kind: string;
  readonly as: string;
}

/** Records that are listed and read by id as well, with the same view everywhere. */
interface ReadableResource<R, S extends Type.TSchema> {
  /** As in `Resource`; the plural is made with an `s`. */
  readonly name: string;
  /** Names the record in messages. */
  readonly noun: string;
  readonly path: string;
  /** Who may read. */
  readonly access: Access;
  /** Property of the replies with one record and with a page of records. */
  readonly item: string;
  readonly items: string;
  readonly json: S;
  readonly errors?: ResourceErrors;
  /** When its changes can be undone one by one: replies to changes have the id for the undo. */
  readonly undoneAs?: UndoneAs;
  show(record: R): Static<S>;
}

/** Declares the routes of `resource`, and those that list and get the records. */
export function readableResource<R extends { readonly id: number }, S extends Type.TSchema>(
  declared: ReadableResource<R, S>,
) {
  const { name, noun, path, access, item, items, json, show, undoneAs, errors = {} } = declared;
  const one = inProperty(item, json, show);
  const onePath = `${path}/{id}`;
  const page = Closed<Record<string, Type.TSchema>>({
    paging: PagingJson,
    [items]: Type.Array(json, { description: 'The records of this page.' }),
  });
  return {
    ...resource({
      ...(undoneAs === undefined ? one : withUndo(one, undoneAs)),
      name,
      path,
      onePath,
      params: idParams,
      errors,
    }),

    /** Like `change`, of records whose changes can be undone; replies with the id for the undo as well. */
    changeWithUndo: resource({ ...corrected(one), name, path, onePath, params: idParams, errors }).change,

    list: <F extends Type.TProperties = Record<never, never>>(
      { filters, ...texts }: RouteTexts & { readonly filters?: F },
      findPage: (engine: Engine, query: Static<typeof PageQuery> & Static<Type.TObject<F>>) => Page<R>,
    ) =>
      defineRoute({
        id: `list${name}s`,
        method: 'get',
        path,
        ...texts,
        access,
        accepts: { query: Open({ ...pageFields, ...filters }) },
        replies: { status: 200, body: page },
        run({ engine, addressWith }, { query }) {
          const found = findPage(engine, query as Static<typeof PageQuery> & Static<Type.TObject<F>>);
          return { paging: pagingJson(found, addressWith), [items]: found.items.map(show) } as Static<
            typeof page
          >;
        },
      }),

    get: (texts: RouteTexts, find: (engine: Engine, id: number) => R | null | undefined) =>
      defineRoute({
        id: `get${name}`,
        method: 'get',
        path: onePath,
        ...texts,
        access,
        accepts: { params: idParams },
        replies: { status: 200, body: one.reply },
        run(context, { params: { id } }) {
          const record = find(context.engine, id);
          if (record) return one.show(record, context);
          throw new AppError('not_found', `There is no ${noun} ${id}.`, { reason: { name: 'not_found' } });
        },
      }),
  };
}
