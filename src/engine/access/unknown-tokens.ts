import type { SeenToken } from '../../core/access/seen-token.ts';
import { AppError } from '../../core/app-error.ts';
import { change, type EngineParts } from '../shared/parts.ts';

const maxUnknownTokens = 100;

/** Tokens that belong to nobody, as readers and boards presented them or posts of pours contained them. */
export function createUnknownTokens(parts: EngineParts) {
  const { store } = parts;
  return {
    /** Recently presented ones, the latest first, at most 100. */
    list: (): readonly SeenToken[] => store.access.presentedTokens.unknown(maxUnknownTokens),

    /** Forgets one until it is presented again. Throws `not_found`. */
    forget: ({ authDevice, tokenValue }: Pick<SeenToken, 'authDevice' | 'tokenValue'>): void =>
      change(
        parts,
        () => {
          if (store.access.presentedTokens.removeUnknown(authDevice, tokenValue)) return;
          throw new AppError('not_found', 'There is no such unknown token.', {
            reason: { name: 'not_found' },
          });
        },
        'removal',
      ),
  };
}
