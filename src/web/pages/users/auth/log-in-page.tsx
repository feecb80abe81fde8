import { isDemo, registrationMode, sendsMail } from '../../../app/me.ts';
import { usePageTitle } from '../../../app/page-title.ts';
import { toHref, useNavigate } from '../../../app/routing.ts';
import { t } from '../../../locales/locale.ts';
import { DemoLogIn } from './demo-log-in.tsx';
import { LogIn } from './log-in.tsx';
import '../../../styles/shared/dialog.css';

interface LogInPageProps {
  /** What the login is needed for, where that is not plain. */
  readonly why?: string | undefined;
  /** Called after the login; the default opens the taps. */
  readonly onDone?: () => void;
}

/** Login page with links to password reset and registration. */
export function LogInPage({ why, onDone }: LogInPageProps) {
  usePageTitle(t('auth.logIn'));
  const navigate = useNavigate();
  return (
    <main class="bar">
      <div class="card-form">
        <h2>{t('auth.logIn')}</h2>
        {isDemo.value && <DemoLogIn onDone={onDone ?? (() => navigate('/'))} />}
        <LogIn why={why} onDone={onDone ?? (() => navigate('/'))} />
        {sendsMail.value && (
          <p>
            <a href={toHref('/accounts/password/reset')}>{t('auth.forgotten')}</a>
          </p>
        )}
        {registrationMode.value === 'public' && (
          <p>
            <a href={toHref('/accounts/register')}>{t('auth.register')}</a>
          </p>
        )}
      </div>
    </main>
  );
}
