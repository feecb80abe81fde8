import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at } from '../../../engine/bar.ts';
import { importsOf, openEmptyImportBar } from './import-bar.ts';

test('an import gives an account that looks like another one its username as the name to show', () => {
  const bar = openEmptyImportBar();
  const { users } = bar.engine;
  users.addUser({ username: 'anna', displayName: 'Anna Hops' }, at(0));
  const start = { source: 'http://old.example', isFile: false, isDryRun: false, actor: systemActor };
  const running = importsOf(bar).start({ ...start, calledBy: 'test' }, at(0));
  const user = { email: '', isActive: true, joinedTimeMs: null };
  const outcomes = running.add(
    [
      { username: 'cleo', displayName: 'АNNA HOPS' },
      { username: 'dora', displayName: 'Dora' },
      { username: 'emil', displayName: 'd o r a' },
    ].map((names, i) => ({
      kind: 'user' as const,
      key: names.username,
      order: i,
      line: 0,
      data: { ...user, ...names },
    })),
  );
  expect(['cleo', 'dora', 'emil'].map((name) => users.user(name)?.displayName)).toEqual([
    'cleo',
    'Dora',
    'emil',
  ]);
  expect(outcomes.map((outcome) => ('note' in outcome ? outcome.note : ''))).toEqual([
    '“cleo” is shown as “cleo”, since “АNNA HOPS” is the name of another user or looks like it.',
    '',
    '“emil” is shown as “emil”, since “d o r a” is the name of another user or looks like it.',
  ]);
});
