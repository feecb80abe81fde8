import type { ComponentChildren } from 'preact';
import { Page } from '../../components/page.tsx';
import { t } from '../../locales/locale.ts';
import { toHref, usePath } from '../routing.ts';
import { allNavigationGroups } from './all-navigation.ts';
import '../../styles/shared/tabs.css';

/** A page for staff that may be a tab of a menu item, with links to its other tabs. */
export function TabbedPage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const current = usePath();
  const { tabs = [], tabsKey } =
    allNavigationGroups()
      .flatMap(({ items }) => items)
      .find((item) => item.tabs?.some(({ path }) => path === current)) ?? {};
  return (
    <Page title={title} requiredRole="staff" width="wide">
      {tabs.length > 0 && (
        <nav class="tabs" aria-label={tabsKey === undefined ? title : t(tabsKey)}>
          <ul>
            {tabs.map(({ path, labelKey }) => (
              <li key={path}>
                <a href={toHref(path)} aria-current={path === current ? 'page' : undefined}>
                  {t(labelKey)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {children}
    </Page>
  );
}
