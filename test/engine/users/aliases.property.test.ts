import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { toUsernameKey } from '../../../src/core/users/username-rules.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, openBar } from '../bar.ts';

const dayMs = 24 * 3_600_000;
const names = ['ada', 'Ada', 'ben', 'ＢＥＮ', 'cleo', 'Cléo', 'Cle\u0301o', 'dora'];
const people = ['ada', 'ben', 'emil'];

test('whatever the renames, a name that an account has had is its own for ever, and answers with the present one', () => {
  const renames = fc.array(fc.tuple(fc.nat(people.length - 1), fc.constantFrom(...names)), { maxLength: 15 });
  fc.assert(
    fc.property(renames, (steps) => {
      const { engine, store } = openBar();
      const owners = new Map<string, number>();
      const ids = people.map((username) => engine.users.addUser({ username }, at(0)).id);
      for (const [index, name] of people.entries()) owners.set(name, ids[index]!);
      for (const [step, [index, name]] of steps.entries()) {
        const [id, key] = [ids[index]!, toUsernameKey(name)];
        const isFree = (owners.get(key) ?? id) === id;
        const rename = () =>
          engine.users.accounts.change(
            store.users.byId(id)!.username,
            { username: name },
            systemActor,
            at(step * dayMs),
          );
        if (!isFree) {
          expect(rename).toThrow(AppError);
          continue;
        }
        expect(toUsernameKey(rename().result.username)).toBe(key);
        owners.set(key, id);
      }
      for (const [key, id] of owners) expect(engine.users.user(key)?.id).toBe(id);
      const keys = ids.flatMap((id) => [store.users.byId(id)!.username, ...store.users.aliases(id)]);
      expect(keys.map(toUsernameKey).sort()).toEqual([...owners.keys()].sort());
    }),
    { numRuns: propertyRuns(40) },
  );
});
