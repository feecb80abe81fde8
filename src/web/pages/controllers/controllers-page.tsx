import { Page, type PageProps } from '../../components/page.tsx';
import { words } from '../../words/pages.ts';
import { Kegboards } from './kegboards.tsx';
import { OpenTaps } from './open-taps.tsx';
import { UnknownTokens } from './unknown-tokens.tsx';
import { UpstreamStatus } from './upstream-status.tsx';
import { Wiring } from './wiring.tsx';

/** Kegboards, open taps, unknown tokens, upstream reporting, and which parts are connected to which tap. */
export function ControllersPage({ snapshot }: PageProps) {
  return (
    <Page title={words.controllers} requiredRole="staff">
      <Kegboards snapshot={snapshot} />
      <OpenTaps snapshot={snapshot} />
      <UnknownTokens />
      <UpstreamStatus />
      <Wiring snapshot={snapshot} />
    </Page>
  );
}
