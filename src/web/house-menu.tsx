import { useEffect, useRef } from 'preact/hooks';
import { isStaff, me } from './me.ts';
import { address, place } from './place.ts';
import { say } from './words/say.ts';

type Ways = readonly (readonly [path: string, words: string])[];

/** Pages for everybody who may look; on a wide screen they stand beside the menu instead of in it. */
export const openWays: Ways = [
  ['/drinks', say.toDrinks],
  ['/kegs', say.toKegs],
  ['/sessions', say.toSessions],
  ['/statistics', say.toStatistics],
];

const ownWays: Ways = [['/account', say.toAccount]];

const staffWays: Ways = [
  ['/held', say.toHeld],
  ['/controllers', say.toControllers],
  ['/users', say.toUsers],
  ['/site', say.toSite],
  ['/backups', say.toBackups],
  ['/logs', say.toLogs],
];

/** The ways to the rest of the house, folded away until somebody wants them. */
export function HouseMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { path } = place.value;
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [path]);
  useEffect(() => {
    const shut = (event: Event) => {
      const box = menu.current;
      if (!box?.open) return;
      const isOutside = event instanceof PointerEvent && !box.contains(event.target as Node);
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (isOutside || isEscape) box.open = false;
      if (isEscape) box.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', shut);
    addEventListener('keydown', shut);
    return () => {
      removeEventListener('pointerdown', shut);
      removeEventListener('keydown', shut);
    };
  }, []);
  return (
    <details ref={menu} class={me.value === null ? 'house-menu way-narrow' : 'house-menu'}>
      <summary class="way">{say.menu}</summary>
      <ul class="house-ways">
        <Lines ways={openWays} class="way-narrow" />
        {me.value !== null && <Lines ways={ownWays} />}
        {isStaff.value && <Lines ways={staffWays} />}
      </ul>
    </details>
  );
}

function Lines({ ways, class: kind }: { readonly ways: Ways; readonly class?: string }) {
  return (
    <>
      {ways.map(([path, words]) => (
        <li key={path} class={kind}>
          <a href={address(path)} aria-current={place.value.path === path ? 'page' : undefined}>
            {words}
          </a>
        </li>
      ))}
    </>
  );
}
