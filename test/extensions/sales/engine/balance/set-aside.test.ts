import { expect, test } from 'vitest';
import { defineExtension } from '../../../../../src/extensions/extension.ts';
import { differenceUl } from '../../../../../src/extensions/sales/core/balance/balance.ts';
import { sales } from '../../../../../src/extensions/sales/extension.ts';
import { at, pour as endedPour, hour, minute } from '../../../../engine/bar.ts';
import { switchOn } from '../../../../kit/extensions.ts';
import { openRungBar } from './rung-bar.ts';

let isRinsing = false;
/** Sets aside what flows while it rinses. */
const rinsing = defineExtension({
  name: 'rinsing',
  isOnByDefault: true,
  heldReasons: ['rinsing'],
  services: async () => () => null,
  hooks: () => ({ judgePour: () => (isRinsing ? { reason: 'rinsing', recorded() {} } : null) }),
});
const switchedOn = await switchOn([sales, rinsing]);
const june = at(35 * 24 * hour);

test('counts the beer that a cleaning lost as cleaning, and nothing else of what was set aside', () => {
  const { balances, engine, store, left, keg } = openRungBar({}, switchedOn);
  isRinsing = true;
  engine.drinks.pours.record(endedPour(at(3 * hour), { ticks: 10_000 }), 'pin', at(3 * hour));
  isRinsing = false;
  const lost = {
    id: 1,
    tap_id: left.id,
    keg_id: keg.id,
    keg_assigned: 0,
    ticks: 400,
    volume_ml: 400,
    time_ms: at(3 * hour + minute).wallMs,
    cause: 'cleaning',
  };
  store.transaction(() => store.drinks.rows.insert('spills', lost));
  const { total } = balances.month('2026-05', june);
  expect(total).toMatchObject({ cleaningUl: 400_000, spilledUl: 0, heldUl: 0, held: 0 });
  expect(differenceUl(total)).toBe(0);
});
