import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import { DropDown } from '../../components/drop-down.tsx';
import { findText, t } from '../../locales/locale.ts';
import type { DisplayText } from '../error-text.ts';
import { formatProblems } from '../problem-text.ts';
import { toHref } from '../routing.ts';
import { healthPage, notices } from '../slots.tsx';
import '../../styles/frame/notices.css';

/** The page on which staff can see more about the problems of a part and resolve them; the log shows the others. */
const pageOfPart: Readonly<Record<string, string>> = {
  alarms: '/alarms',
  backups: '/backups',
  counting: '/wiring',
  https: '/https',
  mail: '/mail',
  readers: '/wiring',
  sensors: '/thermometers',
  toggles: '/hardware',
  valves: '/hardware',
  webhooks: '/webhooks',
};

/**
 * Button with the number of notices for staff, and the notices above the page when it is opened. It is there without
 * notices, too, so that nothing moves when one appears.
 */
export function Notices({ snapshot }: { readonly snapshot: SnapshotMessage | null }) {
  const { problems = [], clock_synced: isClockSet = true, held = 0, alarms = 0 } = snapshot ?? {};
  const others = notices(snapshot);
  const count =
    problems.length + (isClockSet ? 0 : 1) + (held > 0 ? 1 : 0) + (alarms > 0 ? 1 : 0) + others.length;
  return (
    <>
      <DropDown
        class="notices"
        label={t('app.noticeCount', { notices: count })}
        button={
          <>
            <BellIcon />
            <span
              class="notice-count"
              data-kind={problems.length > 0 ? 'problem' : 'task'}
              data-count={count}
            >
              {count}
            </span>
          </>
        }
      >
        <section class="notice-list" aria-label={t('app.notices')}>
          {count === 0 && <p class="notice">{t('app.noNotices')}</p>}
          {problems.map((part) => (
            <ProblemNotice key={part.part} {...part} />
          ))}
          {alarms > 0 && (
            <NoticeLink kind="problem" path="/alarms">
              <strong>{t('alarms.notice', { count: alarms })}</strong> {t('alarms.noticeMore')}
            </NoticeLink>
          )}
          {!isClockSet && <ClockNotice />}
          {others.map(({ path, title, text }) => (
            <NoticeLink key={path} kind="held" path={path}>
              <strong>{title}</strong> {text}
            </NoticeLink>
          ))}
          {held > 0 && (
            <NoticeLink kind="held" path="/held">
              <strong>{t('heldPours.notice', { pours: held })}</strong>{' '}
              {t('heldPours.noticeMore', { pours: held })}
            </NoticeLink>
          )}
        </section>
      </DropDown>
      <p class="visually-hidden" aria-live="polite">
        {count > 0 ? t('app.noticeCount', { notices: count }) : ''}
      </p>
    </>
  );
}

function BellIcon() {
  return (
    <svg class="notice-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6zM10 20a2 2 0 0 0 4 0" />
    </svg>
  );
}

/** The problems of a part: the consequence in short, then what does not work and what to do. */
function ProblemNotice({ part, problems }: SnapshotMessage['problems'][number]) {
  const consequence = findText('daemon.problems', part);
  return (
    <NoticeLink kind="problem" path={pageOfPart[part] ?? healthPage(part) ?? '/logs'}>
      {consequence !== undefined && <strong>{consequence}</strong>} {formatProblems(problems)}
    </NoticeLink>
  );
}

interface NoticeLinkProps {
  readonly kind: 'problem' | 'held';
  readonly path: string;
  readonly children: ComponentChildren;
}

/** A notice that leads to the page where it is resolved. */
function NoticeLink({ kind, path, children }: NoticeLinkProps) {
  return (
    <a class="notice" data-kind={kind} href={toHref(path)}>
      <span>{children}</span>
    </a>
  );
}

/** Offers to set the clock from the user's device, because a Raspberry Pi has no battery-backed clock. */
function ClockNotice() {
  const isBusy = useSignal(false);
  const refusal = useSignal<DisplayText | null>(null);

  async function setClock() {
    if (isBusy.value) return;
    isBusy.value = true;
    const time = new Date(Math.round(Date.now() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    const answer = await request('POST /clock', { body: { time } });
    refusal.value = answer.ok ? null : answer.sentence;
    isBusy.value = false;
  }

  return (
    <div class="notice" data-kind="clock">
      <p>
        <strong>{t('app.clockUnset')}</strong> {t('app.clockUnsetMore')}
        {refusal.value && <span class="refusal"> {refusal.value}</span>}
      </p>
      <button type="button" class="button" aria-disabled={isBusy.value} onClick={setClock}>
        {t('app.setClock')}
      </button>
    </div>
  );
}
