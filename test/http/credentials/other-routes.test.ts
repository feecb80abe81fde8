import { afterAll, describe, expect, test } from 'vitest';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import type { Route } from '../../../src/http/routes/route.ts';
import { exampleHeaders, prepareExample, sendExample } from '../openapi/record-examples.ts';
import { credentialCases } from './credential-routes.ts';
import { current, openBar, requestOf, routeOf } from './watched-bar.ts';

/** Every operation that the daemon serves, with the forms in which it may be asked for. */
const operations = [
  { api: current, forms: ['example'] },
  { api: legacyApi, forms: ['reference', 'kegbot'] },
].flatMap(({ api, forms }) =>
  api.routes.flatMap((route) =>
    forms.map((form) => ({ name: `${api.name} ${route.id} ${form}`, api, route, form })),
  ),
);

const isStream = ({ answer }: Route) => answer.kind === 'raw' && answer.mediaType === 'text/event-stream';

describe('a route that is not in the table', () => {
  const listed = new Set(credentialCases.map(({ id }) => id));
  const others = operations.filter(({ api, route }) => api.name !== 'current' || !listed.has(route.id));
  const writing = others.filter(({ route }) => route.method !== 'get');

  test.each(writing)('writes no credential: $name', async ({ api, route, form }) => {
    const { bar, takeWrites } = openBar(route);
    const made = await prepareExample(bar, route, requestOf(api, route.id));
    const headers = exampleHeaders(bar, { api, route, form, made });
    takeWrites();
    const { status } = await sendExample(bar, { api, route, form, made, headers });
    expect(takeWrites()).toEqual([]);
    if (route.id !== 'setupUpgrade') expect(status).toBeLessThan(300);
    bar.server.store.close();
  });

  const { bar: reader, takeWrites: takeReads } = openBar(routeOf('getStatus'));
  afterAll(() => reader.server.store.close());
  test.each(others.filter(({ route }) => route.method === 'get' && !isStream(route)))(
    'writes no credential: $name',
    async ({ api, route, form }) => {
      const made = requestOf(api, route.id).query ? { query: requestOf(api, route.id).query! } : {};
      const headers = exampleHeaders(reader, { api, route, form, made });
      takeReads();
      await sendExample(reader, { api, route, form, made, headers });
      expect(takeReads()).toEqual([]);
    },
  );
});
