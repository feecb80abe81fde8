import { isSetUp } from '../../../app/me.ts';
import { toHref } from '../../../app/routing.ts';
import { t } from '../../../locales/locale.ts';
import { type Https, toSecureAddress } from './https-data.ts';

/** In place of a form with a password: leads to the same page over HTTPS. */
export function HttpsNeeded({ https: { address } }: { readonly https: Https }) {
  return (
    <div class="form">
      <p class="form-why">{t('https.needed')}</p>
      {address === null ? (
        <p>{t('https.off')}</p>
      ) : (
        <>
          <p>
            <a class="button" href={toSecureAddress(address)}>
              {t('https.open')}
            </a>
          </p>
          <p>
            {/* Until the set-up is finished there are no other pages. */}
            <a href={toHref(isSetUp.value ? '/https' : '/ca.crt')}>{t('https.warned')}</a>
          </p>
        </>
      )}
    </div>
  );
}
