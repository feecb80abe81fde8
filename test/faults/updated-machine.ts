import { expect } from 'vitest';
import { UpdateMachine } from '../kit/update-machine.ts';
import { pulse, request } from './fault-bar.ts';

let machine: UpdateMachine | undefined;

/** A machine on which 1.0.0 runs. */
export async function install(settings: object = {}): Promise<UpdateMachine> {
  machine = await UpdateMachine.create(settings);
  await machine.updater('installed', { payload: machine.makePayload('1.0.0') });
  await machine.start();
  return machine;
}

/** Removes the machine of a test. */
export async function removeMachine(): Promise<void> {
  await machine?.remove();
  machine = undefined;
}

export async function countDrinks({ url, bar }: UpdateMachine): Promise<number> {
  const { body } = await request(url, bar, '/api/drinks');
  return (body.result as unknown as { paging: { total: number } }).paging.total;
}

/** Pours a glass and waits until it is stored. */
export async function pourGlass(one: UpdateMachine): Promise<void> {
  const before = await countDrinks(one);
  await pulse(one.url, 'pi.flow0', 300, 500);
  await expect.poll(() => countDrinks(one)).toBe(before + 1);
}
