import { barTime, formatBarTime, formatQuantity, type Units, volume } from '../../app/format.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { findText, t } from '../../locales/locale.ts';

/** When and where a card was presented, and what was poured with it. */
export function CardHistory({ token, units }: { readonly token: string; readonly units: Units }) {
  const { result, error } = useResource('GET /admin/auth-tokens/{token}/history', { path: { token } });
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  if (result === null) return <ErrorMessage>{error}</ErrorMessage>;
  const { seen, grants, drinks, drinks_total: total } = result;
  return (
    <section class="group" aria-labelledby="card-history">
      <h3 id="card-history">{t('tokens.history')}</h3>
      <p>
        {seen === null
          ? t('tokens.neverSeen')
          : `${t('tokens.lastSeen', { time: formatTime(seen.last_seen), where: seen.device })} · ${t('tokens.seenTimes', { times: seen.times })}`}
      </p>
      {grants.length > 0 && (
        <>
          <h4 id="card-grants">{t('tokens.opened')}</h4>
          <ul class="rows" aria-labelledby="card-grants">
            {grants.map((grant, index) => (
              <li key={index}>
                <span class="row-text">
                  {[
                    grant.granted_time === null ? t('tokens.timeUnknown') : formatTime(grant.granted_time),
                    grant.controller,
                    grant.user,
                    grant.ended_reason !== null && findText('tokens.ends', grant.ended_reason),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                {grant.volume_ml !== null && <span>{formatQuantity(volume(grant.volume_ml, units))}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      <h4 id="card-drinks">{t('tokens.drinks', { count: total })}</h4>
      {total === 0 && <p class="soft">{t('tokens.noDrinks')}</p>}
      <ul class="rows" aria-labelledby="card-drinks">
        {drinks.map((drink) => (
          <li key={drink.id}>
            <span class="row-text">
              <a href={toHref(`/drinks/${drink.id}`)}>{formatTime(drink.pour_time)}</a>
              {` · ${drink.user_id ?? t('drinks.guest')}`}
            </span>
            <span>{formatQuantity(volume(drink.volume_ml, units))}</span>
          </li>
        ))}
      </ul>
      {total > drinks.length && <p class="soft">{t('tokens.newestOnly', { count: drinks.length })}</p>}
    </section>
  );
}
