import fc from 'fast-check';
import { test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { cleaning } from '../../../../src/extensions/cleaning/extension.ts';
import { openBar } from '../../../engine/bar.ts';
import { checkSessions, now, type OtherStep } from '../../../engine/drinks/laws/sessions.ts';
import { cleaningOn } from '../cleaning-bar.ts';

const row = fc.integer({ min: 1, max: 20 });

const markStep: fc.Arbitrary<OtherStep> = fc
  .uniqueArray(row, { minLength: 1, maxLength: 3 })
  .map((drinkIds) => ({
    do: 'other',
    name: `clean ${drinkIds.join()}`,
    take: ({ engine }) =>
      engine
        .serviceOf(cleaning)
        .cleaningSuggestions.mark({ drinkIds, kind: 'water' }, { actor: systemActor, now }),
  }));

test(
  'property: after drinks were marked as cleanings and anything else the sessions are those of the valid drinks',
  () => checkSessions(() => openBar(':memory:', {}, cleaningOn), [markStep]),
  240_000,
);
