import { navigate, toHref } from '../../../app/current-path.ts';
import { registrationMode, sendsMail } from '../../../app/me.ts';
import { say } from '../../../words/say.ts';
import { LogIn } from './log-in.tsx';
import '../../../styles/dialog.css';

interface LogInPageProps {
  readonly why: string;
  /** Called after the login; the default opens the taps. */
  readonly onDone?: () => void;
}

/** Login page with links to password reset and registration. */
export function LogInPage({ why, onDone = () => navigate('/') }: LogInPageProps) {
  return (
    <main class="bar">
      <div class="card-form">
        <h2>{say.logIn}</h2>
        <LogIn why={why} onDone={onDone} />
        {sendsMail.value && (
          <p>
            <a href={toHref('/accounts/password/reset')}>{say.auth.forgotten}</a>
          </p>
        )}
        {registrationMode.value === 'public' && (
          <p>
            <a href={toHref('/accounts/register')}>{say.auth.register}</a>
          </p>
        )}
      </div>
    </main>
  );
}
