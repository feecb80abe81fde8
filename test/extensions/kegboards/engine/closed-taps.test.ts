import { expect, onTestFinished, test } from 'vitest';
import type { ClosedTapState } from '../../../../src/core/taps/tap-state.ts';
import { defineExtension } from '../../../../src/extensions/extension.ts';
import { kegboards } from '../../../../src/extensions/kegboards/extension.ts';
import { switchOn } from '../../../kit/extensions.ts';
import { createKegboardRig } from './kegboard-rig.ts';

const closed = new Map<number, ClosedTapState>();
/** Closes the taps of the map, as the cleaning of lines does. */
const closing = defineExtension({
  name: 'closing',
  isOnByDefault: true,
  hooks: () => ({ closedState: (tapId) => closed.get(tapId) ?? null }),
});
const on = await switchOn([kegboards, closing]);

test('a grant names no meter and no relay of a tap that is closed', async () => {
  const rig = createKegboardRig({ grants: { maxVolumeMl: 1_000, maxDurationMs: 60_000, maxIdleMs: 0 } }, on);
  onTestFinished(() => rig.remove());
  await rig.open();
  const { board, engine } = rig;
  const meter = engine.taps.hardware.meters().find(({ tapId }) => tapId !== null)!;
  const commands = async () => {
    board.attach('fob');
    await board.deliver();
    const opened = board.open;
    const denied = board.denied.at(-1) ?? null;
    board.reboot();
    await board.deliver();
    return { opened, denied };
  };
  closed.set(meter.tapId!, 'cleaning');
  expect(await commands()).toEqual({ opened: [1], denied: null });
  closed.set(meter.tapId!, 'blocked');
  expect(await commands()).toEqual({ opened: [1], denied: null });
  const other = engine.taps.hardware.meters().find(({ tapId }) => tapId === null)!;
  engine.taps.connectMeter(engine.taps.create({ name: 'Other' }).id, other.id);
  const otherTapId = engine.taps.hardware.meters().find(({ id: meterId }) => meterId === other.id)!.tapId!;
  closed.set(otherTapId, 'cleaning');
  expect((await commands()).denied).toMatch('closed for cleaning');
  closed.delete(meter.tapId!);
  expect((await commands()).opened).toEqual([0]);
});
