import { locale, t } from '../locales/locale.ts';
import { isConnectionLost } from './connection.ts';
import { lastStateTime } from './last-state.ts';
import { canAct } from './me.ts';

/** Of this device: the bar’s time zone does not matter for the age of the state. */
const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Says above the page that the connection is lost. Guests read only that the page is not live. */
export function ConnectionLost() {
  return (
    <div class="connection" role="status">
      {isConnectionLost.value && (
        <p class="connection-lost">
          {lastStateTime.value !== null ? (
            <>
              <strong>{t('app.offline')}</strong>{' '}
              {t('app.lastStateAt', { time: timeFormat.format(lastStateTime.value) })}
            </>
          ) : canAct.value ? (
            <>
              <strong>{t('app.offline')}</strong> {t('app.showingLastState')}
            </>
          ) : (
            t('app.notLive')
          )}
        </p>
      )}
    </div>
  );
}
