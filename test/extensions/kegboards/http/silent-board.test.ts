import { afterEach, expect, test } from 'vitest';
import type { SnapshotMessage } from '../../../../src/http/live/shapes.ts';
import { listen, watch } from '../../../http/live/streams.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { boardTablesOf, pairBoard } from '../kit/boards.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test('shows the meters of a silent kegboard as silent, with the time when it was last seen', async () => {
  const server = createTestServer();
  const { url, close } = await listen(server.app);
  closers.push(() => close(0));
  const { taps } = server.engine;
  const { hardware } = server.engine.taps;
  pairBoard(server, 'kegboard-1');
  const { controllerId } = boardTablesOf(server.store).kegboards.byName('kegboard-1')!;
  const meter = hardware.createMeter({ controllerId: controllerId!, portName: 'flow0' });
  taps.connectMeter(server.attic.id, meter.id);
  const attic = async () => {
    const first = await (await watch(`${url}/api/live`, { 'X-Kegbot-Api-Key': server.staffKey })).next();
    return (first!.data as SnapshotMessage).taps[2];
  };
  expect(await attic()).toMatchObject({ meter_state: 'counting', meter_seen_time: null });
  const { monoMs, wallMs } = server.now();
  server.setClock({ monoMs: monoMs + 1_200_000, wallMs: wallMs + 1_200_000 });
  expect(await attic()).toMatchObject({ meter_state: 'silent', meter_seen_time: '2026-05-02T17:00:00Z' });
});
