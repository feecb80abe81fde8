import Type from 'typebox';
import { expect, test } from 'vitest';
import { defineRoute, type Method } from '../../../src/http/routes/route.ts';
import { paramNames, routeTable } from '../../../src/http/routes/route-table.ts';

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

test('the last drink is not a drink called “last”', () => {
  expect(idAt('drinks', 'last')).toBe('get /drinks/last');
  expect(idAt('drinks', '7')).toBe('get /drinks/{id}');
});

test('a word that leads nowhere gives way to the braces', () => {
  expect(idAt('drinks', 'last', 'photo')).toBe('get /drinks/{id}/photo');
});

test('values come in the order of the path, slashes inside them are theirs', () => {
  expect(find(['tokens', 'core.rfid', 'a/b'])?.paramValues).toEqual(['core.rfid', 'a/b']);
  expect(paramNames('/tokens/{device}/{value}')).toEqual(['device', 'value']);
});

test.each([[[]], [['nothing']], [['taps', '']], [['taps', 'a', 'b']], [['', 'taps']], [['Taps']]])(
  'nothing is at %j',
  (segments) => {
    expect(find(segments)).toBeNull();
  },
);

test('a retired method lies at the same place, whatever the braces are called', () => {
  expect([...find(['taps', '1'])!.endpoint.retired]).toEqual(['DELETE']);
});

test('two routes for one method and place are a slip of ours', () => {
  expect(() => routeTable([route('get', '/taps/{a}'), route('get', '/taps/{b}')], [])).toThrow('Two routes');
});
