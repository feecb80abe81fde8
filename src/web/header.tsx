import type { HouseMessage } from '../http/live/shapes.ts';
import { currentPath, toHref } from './current-path.ts';
import { isSetUp, logOut, mayAct, mayLook, me } from './me.ts';
import { headerItems } from './navigation.ts';
import { SiteMenu } from './site-menu.tsx';
import { say } from './words/say.ts';

/** The name of the house, the ways through it, and whether what is shown is live. */
export function Header({ house, away }: { readonly house: HouseMessage | null; readonly away: boolean }) {
  const isOpen = isSetUp.value && mayLook.value;
  const isHeld = house !== null && house.held > 0;
  return (
    <header class="masthead">
      <h1 class="masthead-title">{house?.title ?? 'Tapster'}</h1>
      <nav class="ways" aria-label={say.pages}>
        {currentPath.value.path !== '/' && <a href={toHref('/')}>{say.toTaps}</a>}
        {mayAct.value && (isHeld || currentPath.value.path === '/held') && (
          <HeaderLink path="/held">{say.toHeld}</HeaderLink>
        )}
        {isOpen &&
          headerItems.map(({ path, label }) => (
            <HeaderLink key={path} path={path} class="way-wide">
              {label}
            </HeaderLink>
          ))}
        {isOpen && <SiteMenu />}
        {me.value === null && <HeaderLink path="/log-in">{say.logIn}</HeaderLink>}
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

interface HeaderLinkProps {
  readonly path: string;
  readonly class?: string;
  readonly children: string;
}

/** One way, marked where the reader is. */
function HeaderLink({ path, class: className, children }: HeaderLinkProps) {
  return (
    <a
      href={toHref(path)}
      class={className}
      aria-current={currentPath.value.path === path ? 'page' : undefined}
    >
      {children}
    </a>
  );
}
