import Type from 'typebox';
import type { ApiDefinition } from '../../routes/api-definition.ts';
import { defineRoute, type Route } from '../../routes/route.ts';

/** Lists the addresses of the API's lists. */
export const apiRoot = (api: () => ApiDefinition): Route =>
  defineRoute({
    id: 'getApiRoot',
    method: 'get',
    path: '/',
    summary: 'List the addresses of all lists by name',
    description: 'A starting point for people and programs; `/api/schema` describes every operation.',
    access: 'open',
    accepts: {},
    replies: {
      status: 200,
      body: Type.Record(Type.String(), Type.String(), {
        description: 'Address of each list by its path in snake case: `"flow_meters": "/api/flow-meters"`.',
      }),
    },
    run: () => Object.fromEntries(listPaths(api()).map((path) => [toName(path), `${api().prefix}${path}`])),
  });

/** Paths of the routes that answer a page of records and need no parameter, sorted. */
const listPaths = ({ routes }: ApiDefinition): readonly string[] =>
  routes
    .filter(({ method, path, answer }) => {
      const body = answer.kind === 'json' ? answer.views.any?.body : undefined;
      return (
        method === 'get' &&
        !path.includes('{') &&
        'paging' in ((body as Type.TObject | undefined)?.properties ?? {})
      );
    })
    .map(({ path }) => path)
    .sort();

const toName = (path: string): string => path.slice(1).replace(/[/-]/g, '_');
