import type { EngineParts } from '../shared/parts.ts';
import { createGrants } from './grants.ts';
import { createTokens, type TapCloser } from './tokens.ts';
import { createUnknownTokens } from './unknown-tokens.ts';

/** Tokens, and who may pour now. */
export const createAccessServices = (parts: EngineParts, hooks: TapCloser) => ({
  tokens: createTokens(parts, hooks),
  unknownTokens: createUnknownTokens(parts),
  grants: createGrants(parts),
});
