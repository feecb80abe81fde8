import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { Envelope, Sender } from '../../../src/http/device-events/envelope.ts';
import { boardSchemas } from '../../../src/http/device-events/events.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { customKeywords } from '../../../src/http/pipeline/validate.ts';
import { IdempotencyHeader } from '../../../src/http/routes/input-values.ts';
import type { RouteServices } from '../../../src/http/services.ts';

test('every request schema is valid JSON Schema', () => {
  const ajv = new Ajv2020();
  for (const keyword of customKeywords) ajv.addKeyword(keyword);
  const routes = [...legacyApi.routes, ...currentApi({} as RouteServices).routes];
  const ofRoutes = routes.flatMap(({ id, accepts: { params, query, body } }) =>
    [params, query, body].flatMap((schema) => (schema === undefined ? [] : [{ id, schema }])),
  );
  expect(ofRoutes.length).toBeGreaterThan(200);
  const ofBoards = [Envelope, Sender, IdempotencyHeader, ...boardSchemas].map((schema) => ({
    ...{ id: JSON.stringify(schema), schema },
  }));
  const schemas = [...ofRoutes, ...ofBoards];
  const wrong = schemas.filter(({ schema }) => ajv.validateSchema(schema) !== true).map(({ id }) => id);
  expect(wrong).toEqual([]);
  // An invalid schema is detected.
  expect(ajv.validateSchema({ type: 'pint' })).toBe(false);
});
