import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toHref } from '../../../app/routing.ts';
import { t } from '../../../locales/locale.ts';
import { toSecureAddress } from './https-data.ts';

/** A device that cannot reach the port waits this long for an answer, milliseconds. */
const timeoutMs = 10_000;

type Trust = 'checking' | 'trusted' | 'not trusted';

/** Whether this device trusts the certificate: it asks the machine over HTTPS, which succeeds only then. */
export function DeviceTrust({ address }: { readonly address: string }) {
  const trust = useSignal<Trust>('checking');

  async function check() {
    trust.value = 'checking';
    trust.value = (await isTrusted(address)) ? 'trusted' : 'not trusted';
  }

  useEffect(() => void check(), [address]);
  return (
    <>
      <p role="status">{texts[trust.value]()}</p>
      <div class="row-actions">
        {trust.value === 'trusted' && (
          <a class="chip" href={toSecureAddress(address, toHref('/'))}>
            {t('https.open')}
          </a>
        )}
        {trust.value === 'not trusted' && (
          <button type="button" class="chip" onClick={() => void check()}>
            {t('https.checkAgain')}
          </button>
        )}
      </div>
    </>
  );
}

const texts: Readonly<Record<Trust, () => string>> = {
  checking: () => t('https.checking'),
  trusted: () => t('https.trusted'),
  'not trusted': () => t('https.notTrusted'),
};

async function isTrusted(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/https-check`, {
      mode: 'cors',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
