import { Validator } from '@seriousme/openapi-schema-validator';
import request from 'supertest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createPopulatedServer } from '../current/populated-server.ts';
import { type OpenApiDocument, openApiFaults } from './openapi-faults.ts';

test('the documents are valid OpenAPI 3.1 by the strict rules', async () => {
  const { app } = createPopulatedServer();
  for (const path of ['/api/schema', '/api/v1/schema']) {
    const { body } = await request(app).get(path).expect(200);
    const { valid, errors } = await new Validator().validate(body);
    expect(valid, `${path}: ${JSON.stringify(errors)?.slice(0, 2_000)}`).toBe(true);
  }
});

test('the YAML document equals the JSON document', async () => {
  const { app } = createPopulatedServer();
  const json = await request(app).get('/api/schema?format=json').expect(200);
  const yaml = await request(app).get('/api/schema?format=yaml').buffer().expect(200);
  const text = yaml.text ?? yaml.body.toString('utf8');
  expect(parse(text)).toEqual(json.body);
  expect(await openApiFaults(parse(text) as OpenApiDocument)).toEqual([]);
});
