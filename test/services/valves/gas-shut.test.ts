import { expect, test, vi } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { shutOnGas } from '../../../src/services/valves/gas-shut.ts';

const left = { name: 'Left', meter: 'pi.flow0', ticksPerMl: 5, toggle: 'pi.relay0' };
const gas = { type: 'pour.gas', pourId: 'p1', onsetMs: 2_000 } as const;

function createRig(shut: (toggle: string) => void) {
  const log = { info: vi.fn(), warn: vi.fn() };
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const unsubscribe = shutOnGas({ bus, log, shut, valveTaps: () => [left] });
  return { bus, log, unsubscribe };
}

test('gas shuts the valve of its tap at once, and of no other', () => {
  const shut = vi.fn();
  const { bus, unsubscribe } = createRig(shut);
  bus.publish({ ...gas, meter: 'pi.flow1' });
  expect(shut).not.toHaveBeenCalled();
  bus.publish({ ...gas, meter: 'pi.flow0' });
  expect(shut.mock.calls).toEqual([['pi.relay0']]);
  unsubscribe();
  bus.publish({ ...gas, meter: 'pi.flow0' });
  expect(shut).toHaveBeenCalledTimes(1);
});

test('a relay that cannot be switched does not stop the counting', () => {
  const { bus, log } = createRig(() => {
    throw new Error('stuck');
  });
  bus.publish({ ...gas, meter: 'pi.flow0' });
  expect(log.warn).toHaveBeenCalledTimes(1);
});
