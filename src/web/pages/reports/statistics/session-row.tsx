import type { Session } from '../../../api/generated.ts';
import { barTime, type Units } from '../../../app/format.ts';
import { toHref } from '../../../app/routing.ts';
import { locale, t } from '../../../locales/locale.ts';

interface SessionRowProps {
  readonly session: Session;
  readonly units: Units;
  /** The volume to show. */
  readonly figure: string;
}

/** A session in a list, with a link to its page. */
export function SessionRow({ session, units, figure }: SessionRowProps) {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: units.time_zone });
  const date = day.format(Date.parse(session.start_time));
  // A running session's end is in the future: its last drink plus the session time-out.
  const isOver = Date.parse(session.end_time) < Date.now();
  const [from, to] = [session.start_time, session.end_time].map((iso) => barTime(iso, units).clock);
  return (
    <li>
      <div class="row-text">
        <a class="row-name" href={toHref(`/sessions/${session.id}`)}>
          {session.name || t('sessions.sessionOf', { day: date })}
        </a>
        <p class="soft">
          {session.name ? `${date} · ` : ''}
          {isOver ? `${from} – ${to}` : t('sessionPage.started', { time: from! })}
        </p>
      </div>
      <p class="row-figure">{figure}</p>
    </li>
  );
}
