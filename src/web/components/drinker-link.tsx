import { toHref } from '../app/routing.ts';
import { t } from '../locales/locale.ts';

/** Path of the page of a user. */
export const drinkerPath = (username: string): string => `/drinkers/${encodeURIComponent(username)}`;

/** The name of a drinker with a link to the drinker's page; without a user the word for guests. */
export function DrinkerLink({ username }: { readonly username: string | null }) {
  if (username === null) return <span>{t('drinks.guest')}</span>;
  return <a href={toHref(drinkerPath(username))}>{username}</a>;
}
