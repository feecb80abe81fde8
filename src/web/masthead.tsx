import type { HouseMessage } from '../http/live/shapes.ts';
import { isStaff, logOut, me } from './me.ts';
import { address, place } from './place.ts';
import { say } from './words/say.ts';

/** The name of the house, the ways through it, and whether what is shown is live. */
export function Masthead({ house, away }: { readonly house: HouseMessage | null; readonly away: boolean }) {
  return (
    <header class="masthead">
      <h1 class="masthead-title">{house?.title ?? 'Tapster'}</h1>
      <nav class="ways" aria-label={say.pages}>
        {place.value.path !== '/' && <a href={address('/')}>{say.toTaps}</a>}
        {isStaff.value && <Way path="/held">{say.toHeld}</Way>}
        {me.value === null && <Way path="/log-in">{say.logIn}</Way>}
        {me.value !== null && (
          <button type="button" class="way" onClick={() => void logOut()}>
            {say.logOut(me.value.username)}
          </button>
        )}
      </nav>
      <p class={away || !house ? 'pulse' : 'pulse is-live'}>
        {away ? say.notLive : house ? say.live : say.joining}
      </p>
    </header>
  );
}

function Way({ path, children }: { readonly path: string; readonly children: string }) {
  return (
    <a href={address(path)} aria-current={place.value.path === path ? 'page' : undefined}>
      {children}
    </a>
  );
}
