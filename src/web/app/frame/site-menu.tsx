import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { DropDown } from '../../components/drop-down.tsx';
import { Icon } from '../../components/icon.tsx';
import { t } from '../../locales/locale.ts';
import { isStaff, isSuperuser, logOut, me } from '../me.ts';
import { toHref, usePath } from '../routing.ts';
import { allNavigationGroups } from './all-navigation.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { findCurrent, headerItems, type NavigationItem } from './navigation.ts';
import { navigationIcon } from './navigation-icons.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/** Menu of all pages, of theme and language and of the account. `isOpenSite` is false for visitors who may not see the taps. */
export function SiteMenu({ isOpenSite }: { readonly isOpenSite: boolean }) {
  return (
    <DropDown
      class="site-menu"
      button={
        <>
          <span class="menu-icon" aria-hidden="true" />
          <span class="site-menu-name">{t('nav.siteMenu')}</span>
        </>
      }
    >
      {isOpenSite && (
        <ul class="site-menu-groups">
          {allNavigationGroups().map(({ nameKey, items }) => (
            <Group key={nameKey} name={t(nameKey)} items={items.filter(isVisible)} />
          ))}
        </ul>
      )}
      <div class="site-menu-foot">
        <ThemeSwitch />
        <LanguageSwitch />
        {me.value === null ? (
          <a class="nav-narrow" href={toHref('/log-in')}>
            {t('auth.logIn')}
          </a>
        ) : (
          <LogOut username={me.value.username} />
        )}
      </div>
    </DropDown>
  );
}

function isVisible({ audience }: NavigationItem): boolean {
  switch (audience) {
    case 'everybody':
      return true;
    case 'members':
      return me.value !== null;
    case 'staff':
      return isStaff.value;
    case 'superusers':
      return isSuperuser.value;
  }
}

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
            <a href={toHref(item.path)} aria-current={findCurrent(item, currentPath)}>
              <Icon name={navigationIcon(item.path)} />
              <span>{t(item.labelKey)}</span>
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Logs out by two touches at different places, so that a slip does not. */
function LogOut({ username }: { readonly username: string }) {
  const isAsking = useSignal(false);
  if (!isAsking.value) {
    return (
      <button type="button" class="log-out" onClick={() => (isAsking.value = true)}>
        {t('auth.logOut', { name: username })}
      </button>
    );
  }
  return (
    <fieldset class="log-out-confirm">
      <legend>{t('auth.logOutAsk', { name: username })}</legend>
      <button type="button" class="button" onClick={() => void logOut()}>
        {t('auth.logOutNow')}
      </button>
      <button
        type="button"
        class="log-out"
        ref={(button) => button?.focus()}
        onClick={() => (isAsking.value = false)}
      >
        {t('auth.stayLoggedIn')}
      </button>
    </fieldset>
  );
}
