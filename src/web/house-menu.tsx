import { useEffect, useId, useRef } from 'preact/hooks';
import { currentPath, toHref } from './current-path.ts';
import { besideMenu, type Way, wayGroups } from './house-ways.ts';
import { isStaff, me } from './me.ts';
import { say } from './words/say.ts';

/** The ways to the rest of the house, folded away until somebody wants them. */
export function HouseMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { path } = currentPath.value;
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
    <details ref={menu} class="house-menu">
      <summary class="way">{say.menu}</summary>
      <ul class="house-ways">
        {wayGroups.map(({ name, ways }) => (
          <Group key={name} name={name} ways={ways.filter(isFor)} />
        ))}
      </ul>
    </details>
  );
}

const isFor = ({ only }: Way): boolean =>
  only === 'everybody' || (only === 'members' ? me.value !== null : isStaff.value);

function Group({ name, ways }: { readonly name: string; readonly ways: readonly Way[] }) {
  const id = useId();
  if (ways.length === 0) return null;
  return (
    <li>
      <p class="ways-name" id={id}>
        {name}
      </p>
      <ul aria-labelledby={id}>
        {ways.map((way) => (
          <li key={way.path} class={besideMenu.includes(way) ? 'way-narrow' : undefined}>
            <a
              href={toHref(way.path)}
              aria-current={currentPath.value.path === way.path ? 'page' : undefined}
            >
              {way.words}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}
