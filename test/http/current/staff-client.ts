import request from 'supertest';
import { expect } from 'vitest';
import type { TestServer } from '../test-server.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Calls `/api` with Anna's staff key. */
export const createStaffClient = (server: TestServer) =>
  createClient(server, { 'X-Kegbot-Api-Key': server.staffKey });

/** Calls `/api` by a login of Anna, who is staff and has entered her password again. */
export const createConfirmedStaffClient = (server: TestServer) =>
  createClient(server, { Cookie: server.createConfirmedCookie('anna') });

/** Calls `/api` by a login of Anna, who has not entered her password again. */
export const createLoginClient = (server: TestServer) =>
  createClient(server, { Cookie: server.createLoginCookie('anna') });

/** Calls `/api` by a login of the superuser Root, whose password was confirmed. */
export function createSuperuserClient(server: TestServer) {
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  return createClient(server, { Cookie: server.createConfirmedCookie('root') });
}

function createClient(server: TestServer, headers: Readonly<Record<string, string>>) {
  const call = async (status: number, method: Method, path: string, body?: object) => {
    const sending = request(server.app)[method](`/api${path}`).set(headers);
    const reply = await (body === undefined ? sending : sending.send(body));
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
    return reply.body;
  };
  return {
    /** Returns the result of a successful call. */
    send: async (method: Method, path: string, body?: object, status = 200) =>
      (await call(status, method, path, body)).result,
    create: async (path: string, body: object) => (await call(201, 'post', path, body)).result,
    /** Returns the error of a refused call. */
    expectError: async (status: number, method: Method, path: string, body?: object) =>
      (await call(status, method, path, body)).error,
  };
}
