import Type, { type Static } from 'typebox';
import { Id } from './schemas.ts';

/** An id in a request: a number or its decimal text, whichever the program has at hand. */
export const AnyId = Type.Union([Id, Type.String({ pattern: '^[1-9]\\d{0,14}$' })], {
  description: 'Identifier, a positive whole number or its decimal text.',
});

/** The number an `AnyId` stands for. */
export const toId = (id: Static<typeof AnyId>): number => Number(id);
