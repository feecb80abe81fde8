import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, paginate, pagingJson, toPageRequest } from '../shared/paging.ts';
import {
  BeverageJson,
  beverageJson,
  KegSizeJson,
  kegSizeJson,
  ProducerJson,
  producerJson,
} from '../shared/views.ts';

/** Keg sizes, beverages and producers. */
export const catalogueRoutes = [
  defineRoute({
    id: 'listKegSizes',
    method: 'get',
    path: '/keg-sizes',
    summary: 'List keg sizes',
    access: 'viewer',
    accepts: { query: PageQuery },
    replies: { status: 200, body: Closed({ paging: PagingJson, keg_sizes: Type.Array(KegSizeJson) }) },
    run({ engine }, { query }) {
      const page = paginate(engine.kegs.sizes(), query);
      return { paging: pagingJson(page), keg_sizes: page.items.map(kegSizeJson) };
    },
  }),
  defineRoute({
    id: 'listBeverages',
    method: 'get',
    path: '/beverages',
    summary: 'List beverages, newest first',
    access: 'viewer',
    accepts: { query: PageQuery },
    replies: { status: 200, body: Closed({ paging: PagingJson, beverages: Type.Array(BeverageJson) }) },
    run({ engine }, { query }) {
      const page = engine.lists.beverages(toPageRequest(query));
      return { paging: pagingJson(page), beverages: page.items.map(beverageJson) };
    },
  }),
  defineRoute({
    id: 'getBeverage',
    method: 'get',
    path: '/beverages/{id}',
    summary: 'Get a beverage',
    access: 'viewer',
    accepts: { params: Open({ id: Id }) },
    replies: { status: 200, body: Closed({ beverage: BeverageJson }) },
    run({ engine }, { params }) {
      const beverage = engine.kegs.beverage(params.id);
      if (!beverage)
        throw new AppError('not_found', `There is no beverage ${params.id}.`, {
          reason: { name: 'not_found' },
        });
      return { beverage: beverageJson(beverage) };
    },
  }),
  defineRoute({
    id: 'listProducers',
    method: 'get',
    path: '/beverage-producers',
    summary: 'List beverage producers, newest first',
    access: 'viewer',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({ paging: PagingJson, beverage_producers: Type.Array(ProducerJson) }),
    },
    run({ engine }, { query }) {
      const page = engine.lists.producers(toPageRequest(query));
      return { paging: pagingJson(page), beverage_producers: page.items.map(producerJson) };
    },
  }),
  defineRoute({
    id: 'getProducer',
    method: 'get',
    path: '/beverage-producers/{id}',
    summary: 'Get a beverage producer',
    access: 'viewer',
    accepts: { params: Open({ id: Id }) },
    replies: { status: 200, body: Closed({ beverage_producer: ProducerJson }) },
    run({ engine }, { params }) {
      const producer = engine.lists.producer(params.id);
      if (!producer)
        throw new AppError('not_found', `There is no producer ${params.id}.`, {
          reason: { name: 'not_found' },
        });
      return { beverage_producer: producerJson(producer) };
    },
  }),
];
