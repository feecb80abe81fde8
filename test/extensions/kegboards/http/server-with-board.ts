import request from 'supertest';
import { createTestServer, openingMs } from '../../../http/test-server.ts';
import { SimulatedBoard, type Wire, type WireResponse } from '../../../kit/simulated-board.ts';

/** A test server with one simulated kegboard; both share a clock that the test advances. */
export function createServerWithBoard(change: Parameters<typeof createTestServer>[0] = {}) {
  const server = createTestServer(change);
  let passedMs = 0;
  const wire: Wire = async (batch, token) => {
    const call = request(server.app).post('/api/device-event');
    if (token !== null) call.set('Authorization', `Bearer ${token}`);
    const { status, body } = await call.send(batch);
    return { status, body } as WireResponse;
  };
  const nowMs = () => openingMs + passedMs;
  const board = new SimulatedBoard({ wire, nowMs });
  const sendAsStaff = (method: 'get' | 'post' | 'delete', path: string) =>
    request(server.app)[method](`/api/admin/${path}`).set('Cookie', server.createConfirmedCookie('anna'));

  return {
    ...server,
    wire,
    nowMs,
    board,
    sendAsStaff,
    /** Advances the clock of server and kegboard. */
    advanceClock(ms: number) {
      passedMs += ms;
      server.setClock({ monoMs: 3_600_000 + passedMs, wallMs: openingMs + passedMs });
    },
    /** Pairs the kegboard: it asks, is allowed, fetches its token and reports its meters. */
    async pair(target: SimulatedBoard = board) {
      target.status('boot');
      await target.deliver();
      await sendAsStaff('post', `kegboards/${target.device}/allow`).expect(200);
      await target.deliver();
      await target.deliverAll();
      return target;
    },
    /** Connects a meter of the kegboard to the right tap and starts a keg there. */
    connectMeter(meter = 0, device = board.device) {
      const { id } = server.engine.taps.hardware
        .meters()
        .find(({ name }) => name === `${device}.flow${meter}`)!;
      server.engine.taps.connectMeter(server.right.id, id);
      return server.engine.kegs.start(
        server.right.id,
        { beverage: { name: 'Pils', producerName: 'Brewery', styleName: 'Pils' }, sizeKey: 'euro' },
        { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' },
      );
    },
    listBoards: async () => (await sendAsStaff('get', 'kegboards').expect(200)).body.result.kegboards,
  };
}
