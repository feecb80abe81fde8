import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Keg, KegState, User } from '../../../core/records.ts';
import { type Engine, paginate } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { DrinkJson, DrinkPageJson, drinkJsonFor, uncertaintyField } from '../shared/drink-views.ts';
import { SessionJson, sessionJson } from '../shared/event-views.ts';
import {
  PageQuery,
  PagingJson,
  pageFields,
  pagingJson,
  TimedPageQuery,
  toPageRequest,
} from '../shared/paging.ts';
import { kegItemJson, kegJsonFor } from '../shared/staff-views.ts';
import { BeverageJson, KegJson, KegSizeJson, kegSizeJson } from '../shared/views.ts';

const KegParams = Open({ id: Id });

/** Keg states by filter value: `online` and `offline` of the specification, and the states themselves. */
const stateFilters: Readonly<Record<string, KegState | 'offline'>> = {
  online: 'on_tap',
  offline: 'offline',
  available: 'available',
  on_tap: 'on_tap',
  finished: 'finished',
};

const ListedKegJson = named(
  'ListedKeg',
  Closed(
    {
      ...KegJson.properties,
      beverage: Closed(
        {
          name: Type.String({ maxLength: 255, description: 'Name of the beverage.' }),
          producer: Type.String({ description: 'Name of its producer.' }),
          color_hex: BeverageJson.properties.color_hex,
        },
        { description: 'What is in it.' },
      ),
    },
    { description: 'A keg in a list.' },
  ),
);

const listKegs = defineRoute({
  id: 'listKegs',
  method: 'get',
  path: '/kegs',
  summary: 'List kegs, newest first',
  description:
    '`state` names one of the three states of a keg; `status` also takes `online`, the same as `on_tap`, and ' +
    '`offline`, which means either of the others. Send at most one of the two. Staff also see the notes of each ' +
    'keg.',
  access: 'viewer',
  accepts: {
    query: Open({
      ...pageFields,
      status: Maybe(
        Type.Enum(['online', 'offline', 'available', 'on_tap', 'finished'], {
          description:
            'Only kegs with this status: `online` is on a tap, `offline` is not; or one of the states.',
        }),
      ),
      state: Maybe(
        Type.Enum(['available', 'on_tap', 'finished'], {
          description: 'Only kegs in this state. Cannot be combined with `status`.',
        }),
      ),
    }),
  },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      kegs: Type.Array(ListedKegJson, { description: 'The kegs of this page.' }),
    }),
  },
  run({ engine, user, addressWith }, { query }) {
    const { status, state } = query;
    if (status !== undefined && state !== undefined) throw conflictingFilters();
    const stateFilter = state ?? (status && stateFilters[status]);
    const page = engine.lists.kegs({
      ...toPageRequest(query),
      ...omitUndefined({ state: stateFilter || undefined }),
    });
    return { paging: pagingJson(page, addressWith), kegs: page.items.map(listedKegJson(engine, user)) };
  },
});

const getKeg = defineRoute({
  id: 'getKeg',
  method: 'get',
  path: '/kegs/{id}',
  summary: 'Get a keg with its beverage, size and newest drinks',
  description:
    'The newest 100 drinks are included; `GET /api/kegs/{id}/drinks` has all. Staff also see the notes.',
  access: 'viewer',
  accepts: { params: KegParams },
  replies: {
    status: 200,
    body: Closed({
      keg: KegJson,
      type: Nullable(BeverageJson),
      size: Nullable(KegSizeJson),
      remain_uncertainty_ml: uncertaintyField('what is left in the keg'),
      drinks: Type.Array(DrinkJson, { description: 'The newest 100 drinks, newest first.' }),
    }),
  },
  run(context, { params: { id } }) {
    const { engine, user } = context;
    const keg = engine.kegs.get(id);
    if (!keg) throw new AppError('not_found', `There is no keg ${id}.`, { reason: { name: 'not_found' } });
    return {
      ...kegItemJson(user, engine, keg),
      remain_uncertainty_ml: engine.drinks.uncertainties.keg(keg),
      drinks: engine.lists.drinksOfKeg(id, {}).items.map(drinkJsonFor(context)),
    };
  },
});

const listKegDrinks = defineRoute({
  id: 'listKegDrinks',
  method: 'get',
  path: '/kegs/{id}/drinks',
  summary: 'List drinks poured from a keg, newest first',
  description:
    'Spills are not drinks: they are in the keg’s `spilled_ml` only. 404 when there is no such keg.',
  access: 'viewer',
  accepts: { params: KegParams, query: TimedPageQuery },
  replies: { status: 200, body: DrinkPageJson },
  run(context, { params, query }) {
    const page = context.engine.lists.drinksOfKeg(params.id, toPageRequest(query));
    return { paging: pagingJson(page, context.addressWith), drinks: page.items.map(drinkJsonFor(context)) };
  },
});

const listKegSessions = defineRoute({
  id: 'listKegSessions',
  method: 'get',
  path: '/kegs/{id}/sessions',
  summary: 'List sessions with drinks from a keg, newest first',
  description: 'Each session is listed once, with its total of all kegs.',
  access: 'viewer',
  accepts: { params: KegParams, query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      sessions: Type.Array(SessionJson, { description: 'The sessions of this page.' }),
    }),
  },
  run({ engine, addressWith }, { params, query }) {
    const page = engine.lists.sessionsOfKeg(params.id, toPageRequest(query));
    return { paging: pagingJson(page, addressWith), sessions: page.items.map(sessionJson) };
  },
});

const listKegSizes = defineRoute({
  id: 'listKegSizes',
  method: 'get',
  path: '/keg-sizes',
  summary: 'List keg sizes',
  description: 'The sizes are fixed; `other` is for kegs whose volume is given by `full_volume_ml`.',
  access: 'viewer',
  accepts: { query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      keg_sizes: Type.Array(KegSizeJson, { description: 'The keg sizes of this page.' }),
    }),
  },
  run({ engine, addressWith }, { query }) {
    const page = paginate(engine.kegs.sizes(), toPageRequest(query));
    return { paging: pagingJson(page, addressWith), keg_sizes: page.items.map(kegSizeJson) };
  },
});

export const kegRoutes = [listKegSizes, listKegs, getKeg, listKegDrinks, listKegSessions];

function listedKegJson({ kegs }: Engine, user: User | null) {
  const toJson = kegJsonFor(user);
  return (keg: Keg) => {
    const { name, producer, colorHex } = kegs.beverage(keg.beverageId)!;
    return { ...toJson(keg), beverage: { name, producer: producer.name, color_hex: colorHex } };
  };
}

function conflictingFilters(): AppError {
  const allowed = 'cannot be combined with state';
  return new AppError('invalid_request', `status ${allowed}.`, { fields: { status: allowed } });
}
