import Type, { type Static } from 'typebox';
import { Id } from './schemas.ts';

/** An id in a request: a number or its decimal text. */
export const AnyId = Type.Union([Id, Type.String({ pattern: '^[1-9]\\d{0,14}$' })], {
  description: 'Identifier, a positive whole number or its decimal text.',
});

/** Converts an `AnyId` to a number. */
export const toId = (id: Static<typeof AnyId>): number => Number(id);
