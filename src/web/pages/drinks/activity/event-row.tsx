import type { Event } from '../../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, type Units, volume } from '../../../app/format.ts';
import { showsDrinkers } from '../../../app/me.ts';
import { toHref } from '../../../app/routing.ts';
import { DrinkerLink } from '../../../components/drinker-link.tsx';
import { t } from '../../../locales/locale.ts';

/** One event: what happened with a link to it, who and when, and the picture and shout of a drink. */
export function EventRow({ event, units }: { readonly event: Event; readonly units: Units }) {
  const path = eventPath(event);
  const isPersonal = event.kind === 'drink_poured' || event.kind === 'session_joined';
  if (event.kind === 'session_joined' && !showsDrinkers.value) return null;
  const text = formatEvent(event, units);
  const showsSession = event.session_id !== null && event.kind === 'drink_poured';
  return (
    <li>
      {event.picture && event.drink_id !== null && (
        <a class="timeline-picture" href={toHref(`/drinks/${event.drink_id}`)}>
          <img
            src={toHref(event.picture.resized_url)}
            alt={event.picture.caption || t('drinkPage.picture')}
            loading="lazy"
          />
        </a>
      )}
      <div class="row-text">
        <p class="row-name">{path === null ? text : <a href={toHref(path)}>{text}</a>}</p>
        {event.shout !== null && <blockquote class="shout">{event.shout}</blockquote>}
        <p class="soft">
          {showsDrinkers.value && isPersonal && (
            <>
              <DrinkerLink username={event.user_id} />
              {' · '}
            </>
          )}
          <time dateTime={event.time}>{formatBarTime(barTime(event.time, units))}</time>
          {showsSession && (
            <>
              {' · '}
              <a href={toHref(`/sessions/${event.session_id}`)}>{t('sessionPage.session')}</a>
            </>
          )}
        </p>
      </div>
    </li>
  );
}

function formatEvent(event: Event, units: Units): string {
  const beer = event.beverage_name ?? t('drinks.noKegOnTap');
  if (event.kind === 'drink_poured') {
    const glass = formatQuantity(volume(event.volume_ml ?? 0, units));
    return t('activity.events.drink_poured', { glass, beer });
  }
  const { kind } = event;
  if (isOfSession(kind)) return t(`activity.events.${kind}`);
  return t(`activity.events.${kind}`, { beer });
}

const isOfSession = (kind: Event['kind']): kind is Extract<Event['kind'], `session_${string}`> =>
  kind.startsWith('session_');

/** Path of the page of what the event is about; null when it has none. */
function eventPath({ kind, drink_id: drink, keg_id: keg, session_id: session }: Event): string | null {
  if (kind === 'drink_poured') return drink === null ? null : `/drinks/${drink}`;
  if (isOfSession(kind)) return session === null ? null : `/sessions/${session}`;
  return keg === null ? null : `/kegs/${keg}`;
}
