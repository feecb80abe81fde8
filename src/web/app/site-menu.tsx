import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../locales/locale.ts';
import { isStaff, me } from './me.ts';
import { headerItems, type NavigationItem, navigationGroups } from './navigation.ts';
import { toHref, usePath } from './routing.ts';

/** Menu of all pages, collapsed until opened. */
export function SiteMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const path = usePath();
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [path]);
  useEffect(() => {
    const close = (event: Event) => {
      const details = menu.current;
      if (!details?.open) return;
      const isOutside = event instanceof PointerEvent && !details.contains(event.target as Node);
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (isOutside || isEscape) details.open = false;
      if (isEscape) details.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details ref={menu} class="site-menu">
      <summary class="nav-link">{t('nav.siteMenu')}</summary>
      <ul class="site-menu-groups">
        {navigationGroups.map(({ nameKey, items }) => (
          <Group key={nameKey} name={t(nameKey)} items={items.filter(isVisible)} />
        ))}
      </ul>
    </details>
  );
}

const isVisible = ({ audience }: NavigationItem): boolean =>
  audience === 'everybody' || (audience === 'members' ? me.value !== null : isStaff.value);

function Group({ name, items }: { readonly name: string; readonly items: readonly NavigationItem[] }) {
  const id = useId();
  const currentPath = usePath();
  if (items.length === 0) return null;
  return (
    <li>
      <p class="nav-group-name" id={id}>
        {name}
      </p>
      <ul aria-labelledby={id}>
        {items.map((item) => (
          <li key={item.path} class={headerItems.includes(item) ? 'nav-narrow' : undefined}>
            <a href={toHref(item.path)} aria-current={currentPath === item.path ? 'page' : undefined}>
              {t(item.labelKey)}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}
