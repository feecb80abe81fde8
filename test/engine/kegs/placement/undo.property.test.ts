import fc from 'fast-check';
import { test } from 'vitest';
import { propertyRuns } from '../../../kit/slow.ts';
import { expectNever, type Step, step } from './undo-steps.ts';

test('property: whatever was changed of kegs and undone was never', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20, size: 'max' }),
      fc.boolean(),
      (steps, undoesAll) => expectNever(steps, undoesAll),
    ),
    { numRuns: propertyRuns(240) },
  );
});

const pourLeft = (ml: number): Step => ({ do: 'pour', tap: 'left', ml });
const connect = (nth: number, late?: 2): Step => ({ do: 'connect', tap: 'left', keg: nth, late });
const attach = (tap: 'left' | 'right'): Step => ({ do: 'attach', tap, keg: 0, late: undefined });
const takeOff = (nth: number): Step => ({ do: 'take off', tap: 'left', keg: nth, late: undefined });
const end: Step = { do: 'end', tap: 'left', late: undefined, ranDry: undefined };
const endInStock: Step = { do: 'end in stock', keg: 0 };
const reactivate: Step = { do: 'reactivate', keg: 0 };
const undone: Step = { do: 'undo' };

test.each<[what: string, steps: readonly Step[], undoesAll: boolean]>([
  [
    'a keg connected late, at the instant of the drink that emptied the one before it',
    [
      ...[takeOff(1), pourLeft(259), end, pourLeft(286), undone, pourLeft(154), pourLeft(301), pourLeft(100)],
      ...[connect(0, 2), pourLeft(100)],
    ],
    true,
  ],
  [
    'a reactivated keg that had been ended in stock, and was no evidence',
    [pourLeft(100), takeOff(0), endInStock, reactivate, undone],
    false,
  ],
  [
    'a reactivated keg that had been ended on a tap, and in stock again',
    [pourLeft(100), end, reactivate, endInStock, reactivate, undone],
    false,
  ],
  [
    'kegs that were on the tap in the other order before',
    [
      ...[pourLeft(100), pourLeft(598), pourLeft(302), reactivate, takeOff(0), attach('left'), connect(0)],
      pourLeft(100),
    ],
    true,
  ],
  [
    'a follower, without which the count does not end a keg that staff had ended before',
    [pourLeft(444), end, reactivate, end, connect(0), connect(0), pourLeft(556), undone],
    false,
  ],
  [
    'a keg that was taken off behind the one that the count ended then',
    [...[connect(0), connect(0), takeOff(2), pourLeft(614), takeOff(1), pourLeft(386), connect(0)]],
    true,
  ],
  [
    'a keg that was evidence of the meter of another tap before',
    [
      ...[pourLeft(335), pourLeft(532), pourLeft(133), reactivate, attach('right')],
      { do: 'connect', tap: 'right', keg: 0, late: undefined },
      { do: 'pour', tap: 'right', ml: 100 },
      pourLeft(604),
    ],
    true,
  ],
  [
    'a follower that was taken off after the count had ended the keg before it',
    [
      ...[pourLeft(371), takeOff(1), pourLeft(139), pourLeft(490), connect(0), pourLeft(100), takeOff(0)],
      undone,
    ],
    false,
  ],
])('undone was never: %s', (_, steps, undoesAll) => expectNever(steps, undoesAll));
