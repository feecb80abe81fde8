import { meet } from '../../me.ts';
import { words } from '../../words/house.ts';
import { DeclaredForm } from '../kit/declared-form.tsx';
import { Page } from '../kit/page.tsx';
import { SiteLogo } from './site-logo.tsx';

/** The settings of the house. */
export function SitePage() {
  return (
    <Page title={words.site} only="staff">
      <DeclaredForm
        path="/site"
        of="site"
        words={{ labels: words.settings, choices: words.choices }}
        onSaved={() => void meet()}
      />
      <SiteLogo />
    </Page>
  );
}
