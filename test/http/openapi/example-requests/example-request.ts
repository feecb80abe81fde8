import type { PopulatedServer } from '../../current/populated-server.ts';

type Values = Readonly<Record<string, unknown>>;

/** A request of an example. What is left out is made by defaults. */
export interface ExampleRequest {
  /** What the example shows; the operation's summary unless given. */
  readonly summary?: string;
  /** Who sends it; a superuser with a confirmed password, the shared tablet or nobody by what the operation needs. */
  readonly by?: 'superuser' | 'staff' | 'member' | 'tablet' | 'nobody';
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: Values;
  /** Fields that get a small picture. */
  readonly files?: readonly string[];
  /** Text of these files instead of the picture. */
  readonly fileText?: string;
  /** Requests of a superuser that come first. */
  readonly before?: readonly (readonly [
    method: 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
  ])[];
  /** Changes the server first; returns values of the request that are known only then. */
  prepare?(server: PopulatedServer): Promise<Partial<ExampleRequest>> | Partial<ExampleRequest>;
}

/** Requests by operation id. */
export type ExampleRequests = Readonly<Record<string, ExampleRequest>>;

/** The password of every account in the examples. */
export const password = 'correct horse battery';

/** Gives the superuser of the examples its password. */
export async function setPassword({ engine, store }: PopulatedServer, username = 'root') {
  const { id } = engine.users.user(username)!;
  const hashed = await engine.users.passwords.hash(password);
  store.transaction(() => store.users.setPassword(id, hashed));
  return {};
}
