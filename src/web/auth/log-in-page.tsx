import { navigate, toHref } from '../current-path.ts';
import { registrationMode, sendsMail } from '../me.ts';
import { say } from '../words/say.ts';
import { LogIn } from './log-in.tsx';
import '../styles/dialog.css';

interface LogInPageProps {
  readonly why: string;
  /** Where to go then; back to the taps when nothing is said. */
  readonly onDone?: () => void;
}

/** Logging in on a page of its own, and the ways for those who cannot. */
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
