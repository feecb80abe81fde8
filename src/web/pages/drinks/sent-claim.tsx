import type { Signal } from '@preact/signals';
import type { Drink } from '../../api/generated.ts';
import { t } from '../../locales/locale.ts';

/** What was sent with the pour of a drink without a user, to assign all such drinks at once. */
export type SentClaim = { readonly claimed_username: string } | { readonly auth_token: string };

/** Returns the claim of a drink; null with a user, without a claim, and where it is not shown. */
export function sentClaim({ user_id, claimed_username, auth_token }: Drink): SentClaim | null {
  if (user_id !== null) return null;
  if (claimed_username) return { claimed_username };
  return auth_token ? { auth_token } : null;
}

interface SentClaimChoiceProps {
  readonly claim: SentClaim;
  /** Whether all drinks of the claim are assigned, instead of the one. */
  readonly appliesToAll: Signal<boolean>;
}

/** Shows the name or token that was sent, and a choice whether to assign all drinks of it. */
export function SentClaimChoice({ claim, appliesToAll }: SentClaimChoiceProps) {
  const [given, all] =
    'auth_token' in claim
      ? [t('drinks.tokenGiven', { token: claim.auth_token }), t('drinks.allOfToken')]
      : [t('drinks.nameGiven', { name: claim.claimed_username }), t('drinks.allOfName')];
  return (
    <>
      <p>{given}</p>
      <label class="flag">
        <input
          type="checkbox"
          checked={appliesToAll.value}
          onChange={(event) => {
            appliesToAll.value = event.currentTarget.checked;
          }}
        />
        <span>{all}</span>
      </label>
    </>
  );
}
