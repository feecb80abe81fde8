import type { Moment } from '../../../../src/core/clock/moment.ts';
import type { Engine } from '../../../../src/engine/engine.ts';
import { kegboards } from '../../../../src/extensions/kegboards/extension.ts';
import { kegboardsStore } from '../../../../src/extensions/kegboards/store/kegboards-store.ts';
import type { Store } from '../../../../src/store/store.ts';

/** The services of network boards. */
export const boardsOf = (engine: Engine) => engine.serviceOf(kegboards);

/** The tables of network boards. */
export const boardTablesOf = (store: Store) => store.tablesOf(kegboardsStore);

interface Bar {
  readonly engine: Engine;
  now(): Moment;
}

/** Sends a batch without events as a board of that name would, from 10.0.0.7. */
const report = ({ engine, now }: Bar, device: string, token: string | null) =>
  boardsOf(engine).recordBatch(
    { device, token, address: '10.0.0.7', batch: { bootId: 'b', events: [] } },
    now(),
  );

/** Asks for pairing as a board of that name would. */
export const askForPairing = (bar: Bar, device: string): void => void report(bar, device, null);

/** A board of that name asks, is allowed, fetches its token and reports with it. */
export function pairBoard(bar: Bar, device: string): void {
  askForPairing(bar, device);
  boardsOf(bar.engine).allow(device, {}, bar.now());
  const answer = report(bar, device, null);
  if (answer.kind !== 'pairing' || answer.pairing.state !== 'allowed') throw new Error('It got no token.');
  report(bar, device, answer.pairing.token);
}
