import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, openBar } from '../bar.ts';

const dayMs = 24 * 3_600_000;
const people = ['ada', 'ben', 'emil'];

const changes = fc.record(
  {
    username: fc.constantFrom('ada', 'Ada', 'ben', 'cleo', 'Cléo', 'dora'),
    displayName: fc.constantFrom('', 'Ada', 'The Boss'),
    email: fc.constantFrom('', 'a@example.org', 'b@example.org'),
    isStaff: fc.boolean(),
    isSuperuser: fc.boolean(),
    isActive: fc.boolean(),
    notificationLanguage: fc.constantFrom(null, 'de', 'fr'),
  },
  { requiredKeys: [] },
);

test('changes of accounts that are undone in reverse order leave every account and alias as before', () => {
  const steps = fc.array(fc.tuple(fc.nat(people.length - 1), changes), { maxLength: 12 });
  fc.assert(
    fc.property(steps, (list) => {
      const { engine, store } = openBar();
      engine.users.addUser({ username: 'root', isSuperuser: true }, at(0));
      const ids = people.map((username) => engine.users.addUser({ username }, at(0)).id);
      const read = () => ids.map((id) => [store.users.byId(id), store.users.aliases(id)]);
      const done: { id: number; before: ReturnType<typeof read> }[] = [];
      for (const [step, [index, values]] of list.entries()) {
        const before = read();
        const { username } = store.users.byId(ids[index]!)!;
        try {
          const { correctionId } = engine.users.accounts.change(
            username,
            values,
            systemActor,
            at(step * dayMs),
          );
          if (correctionId === null) expect(read()).toEqual(before);
          else done.push({ id: correctionId, before });
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(read()).toEqual(before);
        }
      }
      for (const { id, before } of done.reverse()) {
        engine.corrections.undo(id, { actor: systemActor }, at(0));
        expect(read()).toEqual(before);
      }
    }),
    { numRuns: propertyRuns(40) },
  );
});
