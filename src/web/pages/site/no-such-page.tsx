import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { t } from '../../locales/locale.ts';

/** The page at an address that does not exist. */
export function NoSuchPage() {
  return (
    <Page title={t('app.noSuchPage')} width="form">
      <EmptyState text={t('app.noSuchPageMore')} picture="list" action={t('drinkerPage.showTaps')} path="/" />
    </Page>
  );
}
