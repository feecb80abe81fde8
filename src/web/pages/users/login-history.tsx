import type { Units } from '../../app/format.ts';
import { LoginAttempt } from '../../components/login-attempt.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { t } from '../../locales/locale.ts';

/** Logins of the user's account, and attempts that failed or were refused. */
export function LoginHistory({ units }: { readonly units: Units }) {
  return (
    <section class="group" aria-labelledby="login-history">
      <h3 id="login-history">{t('attempts.title')}</h3>
      <p class="soft">{t('attempts.why')}</p>
      <div class="card">
        <PagedList
          operation="GET /account/login-history"
          itemsKey="attempts"
          label={t('attempts.title')}
          empty={t('attempts.none')}
          renderItem={(attempt) => <LoginAttempt key={attempt.id} attempt={attempt} units={units} />}
        />
      </div>
    </section>
  );
}
