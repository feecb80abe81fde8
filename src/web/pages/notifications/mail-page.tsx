import { OutboxList } from '../../components/outbox-list.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { words } from '../../words/notifications.ts';
import { Alarms } from './alarms.tsx';
import { MailServer } from './mail-server.tsx';
import { TestMail } from './test-mail.tsx';

/** Mail server settings, test mail, alarm thresholds and the mail outbox. */
export function MailPage({ snapshot }: PageProps) {
  return (
    <Page title={words.mail} requiredRole="staff">
      <div class="two">
        <MailServer />
        <div class="stack">
          <TestMail />
          <Alarms units={snapshot} />
        </div>
      </div>
      <OutboxList title={words.mails} kind="mail" units={snapshot} />
    </Page>
  );
}
