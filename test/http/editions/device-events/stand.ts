import request from 'supertest';
import { SimulatedBoard, type Wire, type WireAnswer } from '../../../kit/board.ts';
import { createTestServer, openingMs } from '../../test-server.ts';

/** A house with one board beside it, on one clock that the test turns. */
export function openStand(change: Parameters<typeof createTestServer>[0] = {}) {
  const server = createTestServer(change);
  let passedMs = 0;
  const wire: Wire = async (batch, token) => {
    const sending = request(server.app).post('/api/device-event');
    if (token !== null) sending.set('Authorization', `Bearer ${token}`);
    const { status, body } = await sending.send(batch);
    return { status, body } as WireAnswer;
  };
  const nowMs = () => openingMs + passedMs;
  const board = new SimulatedBoard({ wire, nowMs });
  const staff = (method: 'get' | 'post' | 'delete', path: string) =>
    request(server.app)[method](`/api/admin/${path}`).set('X-Kegbot-Api-Key', server.staffKey);

  return {
    ...server,
    wire,
    nowMs,
    board,
    staff,
    /** Lets time pass for house and board alike. */
    pass(ms: number) {
      passedMs += ms;
      server.setClock({ monoMs: 3_600_000 + passedMs, wallMs: openingMs + passedMs });
    },
    /** Asks, is let in, fetches its token and reports what hangs on it. */
    async pair(which: SimulatedBoard = board) {
      which.status('boot');
      await which.deliver();
      await staff('post', `kegboards/${which.device}/allow`).expect(200);
      await which.deliver();
      await which.deliverAll();
      return which;
    },
    /** Connects a meter of the board to the right tap, and gives it a keg. */
    connect(meter = 0, device = board.device) {
      const { id } = server.engine.hardware.meters().find(({ name }) => name === `${device}.flow${meter}`)!;
      server.engine.taps.connectMeter(server.right.id, id);
      return server.engine.kegs.start(
        server.right.id,
        { beverage: { name: 'Pils', producerName: 'Brewery', styleName: 'Pils' }, sizeKey: 'euro' },
        { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' },
      );
    },
    roster: async () => (await staff('get', 'kegboards').expect(200)).body.result.kegboards,
  };
}
