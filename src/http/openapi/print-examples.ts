import type { Example, OperationExamples } from './examples.ts';
import type { Json, JsonObject } from './print-schemas.ts';

/** The member `examples` with the value that `pick` returns of each example; empty if none has one. */
export function exampleValues(examples: OperationExamples, pick: (example: Example) => unknown): JsonObject {
  const values = Object.entries(examples).flatMap(([name, example]) => {
    const value = pick(example) as Json | undefined;
    return value === undefined ? [] : [[name, { summary: example.summary, value }] as const];
  });
  return values.length === 0 ? {} : { examples: Object.fromEntries(values) };
}

/** The bodies of the replies with this status and media type. */
export const replyExamples = (
  examples: OperationExamples,
  status: number,
  mediaType = 'application/json',
): JsonObject =>
  exampleValues(examples, ({ reply }) =>
    reply.status === status && reply.mediaType === mediaType ? reply.body : undefined,
  );
