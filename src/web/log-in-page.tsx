import { LogIn } from './log-in.tsx';
import { go } from './place.ts';
import { say } from './words/say.ts';
import './styles/sheet.css';

/** Logging in on a page of its own, and back to the taps. */
export function LogInPage({ why }: { readonly why: string }) {
  return (
    <main class="bar">
      <div class="card-form">
        <h2>{say.logIn}</h2>
        <LogIn why={why} onDone={() => go('/')} />
      </div>
    </main>
  );
}
