import { t } from '../locales/locale.ts';
import { isConnectionLost } from './connection.ts';
import { canAct } from './me.ts';

/** Says above the page that the connection is lost. Guests read only that the page is not live. */
export function ConnectionLost() {
  return (
    <div class="connection" role="status">
      {isConnectionLost.value && (
        <p class="connection-lost">
          {canAct.value ? (
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
