import { expect, test } from 'vitest';
import { joinAlarmKinds } from '../../../src/core/alarms/alarm-kinds.ts';
import { extensions } from '../../../src/extensions/all.ts';
import { chooseAlarmKinds } from '../../../src/web/app/alarm-kinds.ts';

const all = joinAlarmKinds(extensions).names;
/** Features that are off. */
const hidden = all.slice(-2);
const shown = all.slice(0, -2);

test('all shown kinds are all, unless one that is not shown was left out before', () => {
  expect(chooseAlarmKinds(null, shown, shown)).toBeNull();
  expect(chooseAlarmKinds(all, shown, shown)).toBeNull();
  expect(chooseAlarmKinds(shown, shown, shown)?.toSorted()).toEqual(shown.toSorted());
});

test('kinds of features that are off stay as they were chosen', () => {
  expect(chooseAlarmKinds(null, [], shown)?.toSorted()).toEqual(hidden.toSorted());
  expect(chooseAlarmKinds([hidden[0]!, shown[1]!], [shown[0]!], shown)?.toSorted()).toEqual(
    [shown[0]!, hidden[0]!].toSorted(),
  );
  expect(chooseAlarmKinds([], [], shown)).toEqual([]);
});
