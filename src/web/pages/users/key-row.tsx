import type { Answer } from '../../api/client.ts';
import type { ApiKey } from '../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { t } from '../../locales/locale.ts';

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly units: Units;
  remove(): Promise<Answer<unknown>>;
}

/** An API key: its purpose, its first digits, when and from where it was last used, and a button that deletes it. */
export function KeyRow({ apiKey, units, remove }: KeyRowProps) {
  const { runAction, error } = useAction();
  const { prefix, description, is_active: isActive } = apiKey;
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{description || prefix}</p>
        <p class="soft">
          {[`${prefix}…`, !isActive && t('apiKeys.switchedOff'), formatLastUse(apiKey, units)]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={t('common.removeOf', { name: description || prefix })}
        onClick={() => runAction(remove, t('common.removed'))}
      >
        {t('common.remove')}
      </button>
    </li>
  );
}

function formatLastUse({ last_used_time: iso, last_used_address: address }: ApiKey, units: Units): string {
  const time = iso === null ? t('common.never') : formatBarTime(barTime(iso, units));
  return address === null ? t('apiKeys.lastUsed', { time }) : t('apiKeys.lastUsedFrom', { time, address });
}
