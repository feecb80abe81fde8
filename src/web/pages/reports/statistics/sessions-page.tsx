import { useNavigate } from '../../../app/routing.ts';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { SessionList } from './session-list.tsx';

/** A paged list of all sessions, or those of one month. */
export function SessionsPage({ snapshot, query }: PageProps) {
  const year = query.get('year');
  const month = query.get('month');
  const filters =
    year === null ? {} : { year: Number(year), ...(month !== null && { month: Number(month) }) };
  return (
    <Page title={t('sessions.title')}>
      <Calendar selected={year === null ? null : `${year}-${month}`} />
      <div class="card">
        <SessionList
          operation="GET /sessions"
          input={{ query: { ...filters, order: 'time' } }}
          empty={t('sessions.noSessions')}
          emptyPicture="glass"
          emptyAction={{ label: t('drinkerPage.showTaps'), path: '/' }}
          snapshot={snapshot}
        />
      </div>
    </Page>
  );
}

/** Buttons for the months that have sessions. */
function Calendar({ selected }: { readonly selected: string | null }) {
  const { result } = useResource('GET /sessions/directory');
  const months = result?.years.flatMap(({ year, months: yearMonths }) =>
    yearMonths.map(({ month, count }) => ({ year, month, count })),
  );
  if (!months || months.length === 0) return null;
  return (
    <nav class="choice" aria-label={t('sessions.calendar')}>
      <MonthButton isChosen={selected === null} path="/sessions">
        {t('sessions.everyDay')}
      </MonthButton>
      {months.map(({ year, month, count }) => (
        <MonthButton
          key={`${year}-${month}`}
          isChosen={selected === `${year}-${month}`}
          path={`/sessions?year=${year}&month=${month}`}
        >
          {`${monthFormat.format(Date.UTC(year, month - 1, 15))} · ${t('sessions.sessionsOn', { count })}`}
        </MonthButton>
      ))}
    </nav>
  );
}

const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

interface MonthButtonProps {
  readonly isChosen: boolean;
  readonly path: string;
  readonly children: string;
}

function MonthButton({ isChosen, path, children }: MonthButtonProps) {
  const navigate = useNavigate();
  return (
    <button type="button" class="chip" aria-pressed={isChosen} onClick={() => navigate(path)}>
      {children}
    </button>
  );
}
