import type { OpenApiDocument } from '../openapi/openapi-faults.ts';

/**
 * Returns a copy of the document in which an object has no other properties than those declared. The printed document
 * leaves objects open, so that later versions may add properties; today's answers must not have undeclared ones.
 */
export const closeSchemas = (document: OpenApiDocument): OpenApiDocument =>
  close(document) as OpenApiDocument;

function close(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(close);
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, close(inner)]));
  const isObjectSchema = copy.type === 'object' && typeof copy.properties === 'object';
  return isObjectSchema && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
