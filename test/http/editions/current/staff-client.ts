import request from 'supertest';
import { expect } from 'vitest';
import type { TestServer } from '../../test-server.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Anna behind the bar: she calls `/api` with her key, and hears what the house answers. */
export function createStaffClient(server: TestServer) {
  const call = async (status: number, method: Method, path: string, body?: object) => {
    const sending = request(server.app)[method](`/api${path}`).set('X-Kegbot-Api-Key', server.staffKey);
    const reply = await (body === undefined ? sending : sending.send(body));
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
    return reply.body;
  };
  return {
    /** Gives the result of a call that is granted; 201 where something is made. */
    send: async (method: Method, path: string, body?: object, status = 200) =>
      (await call(status, method, path, body)).result,
    create: async (path: string, body: object) => (await call(201, 'post', path, body)).result,
    /** Gives the error of a call that is not. */
    expectError: async (status: number, method: Method, path: string, body?: object) =>
      (await call(status, method, path, body)).error,
  };
}
