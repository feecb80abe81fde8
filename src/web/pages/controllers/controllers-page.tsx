import { Page, type PageProps } from '../../components/page.tsx';
import { words } from '../../words/house.ts';
import { Boards } from './boards.tsx';
import { OpenTaps } from './open-taps.tsx';
import { UnknownTokens } from './unknown-tokens.tsx';
import { UpstreamGroup } from './upstream.tsx';
import { Wiring } from './wiring.tsx';

/** Boards that report, what is open now, tokens nobody knows, and what hangs on which tap. */
export function ControllersPage({ app }: PageProps) {
  return (
    <Page title={words.controllers} requiredRole="staff">
      <Boards app={app} />
      <OpenTaps app={app} />
      <UnknownTokens />
      <UpstreamGroup />
      <Wiring app={app} />
    </Page>
  );
}
