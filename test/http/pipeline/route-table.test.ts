import Type from 'typebox';
import { expect, test } from 'vitest';
import { paramNames, routeTable } from '../../../src/http/pipeline/route-table.ts';
import { defineRoute, type Method } from '../../../src/http/routes/route.ts';

const route = (method: Method, path: string) =>
  defineRoute({
    id: `${method} ${path}`,
    method,
    path,
    summary: '',
    access: 'open',
    accepts: {},
    replies: { status: 200, body: Type.Object({}) },
    run: () => ({}),
  });

const find = routeTable(
  [
    route('get', '/taps'),
    route('get', '/taps/{ref}'),
    route('get', '/drinks/last'),
    route('get', '/drinks/{id}'),
    route('get', '/drinks/{id}/photo'),
    route('get', '/tokens/{device}/{value}'),
  ],
  [{ methods: ['DELETE'], path: '/taps/{name}' }],
);

const idAt = (...segments: string[]) => find(segments)?.endpoint.routes.get('GET')?.id;

test('a literal segment wins over a parameter', () => {
  expect(idAt('drinks', 'last')).toBe('get /drinks/last');
  expect(idAt('drinks', '7')).toBe('get /drinks/{id}');
});

test('a parameter is used when the literal branch does not match', () => {
  expect(idAt('drinks', 'last', 'photo')).toBe('get /drinks/{id}/photo');
});

test('parameter values are in path order and may contain slashes', () => {
  expect(find(['tokens', 'core.rfid', 'a/b'])?.paramValues).toEqual(['core.rfid', 'a/b']);
  expect(paramNames('/tokens/{device}/{value}')).toEqual(['device', 'value']);
});

test.each([[[]], [['nothing']], [['taps', '']], [['taps', 'a', 'b']], [['', 'taps']], [['Taps']]])(
  '%j is not found',
  (segments) => {
    expect(find(segments)).toBeNull();
  },
);

test('retired methods share the endpoint, whatever the parameter name', () => {
  expect([...find(['taps', '1'])!.endpoint.retired]).toEqual(['DELETE']);
});

test('throws on two routes for one method and path', () => {
  expect(() => routeTable([route('get', '/taps/{a}'), route('get', '/taps/{b}')], [])).toThrow('Two routes');
});
