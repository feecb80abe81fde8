import { useContext } from 'preact/hooks';
import { LiveContext } from '../../../app/live-context.ts';
import { toHref } from '../../../app/routing.ts';
import { QrCode } from '../../../components/qr-code.tsx';
import { t } from '../../../locales/locale.ts';
import type { Https } from './https-data.ts';

/** The steps of each system; the names of systems are the same in every language. */
const systems = [
  ['iPhone, iPad', () => t('https.steps.ios')],
  ['Android', () => t('https.steps.android')],
  ['Windows', () => t('https.steps.windows')],
  ['macOS', () => t('https.steps.macos')],
  ['Firefox, Linux', () => t('https.steps.firefox')],
] as const;

/** The certificate of the authority, and how a device comes to trust it. */
export function InstallSteps({ authority }: { readonly authority: NonNullable<Https['authority']> }) {
  const live = useContext(LiveContext);
  return (
    <section class="group" aria-labelledby="install">
      <h3 id="install">{t('https.install')}</h3>
      <div class="card group">
        <p>
          <a class="button" href={toHref(authority.url)}>
            {t('https.download')}
          </a>
        </p>
        <p>
          {t('https.fingerprint')}
          <br />
          <code class="fingerprint">
            {authority.fingerprint.split(/(?<=:)/).map((pair) => [pair, <wbr />])}
          </code>
        </p>
        <p class="soft">{t('https.compare')}</p>
        {systems.map(([name, steps]) => (
          <details key={name} name="systems">
            <summary>{name}</summary>
            <p>{steps()}</p>
          </details>
        ))}
        <p class="soft">{t('https.scan')}</p>
        <QrCode text={findPhoneAddress(live?.snapshot.value?.address ?? null)} />
      </div>
    </section>
  );
}

/** This page for a phone: over plain HTTP if that is known, since a phone does not trust HTTPS yet. */
function findPhoneAddress(address: string | null): string {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(location.hostname);
  const base = address !== null && (isLocal || location.protocol === 'https:') ? address : location.origin;
  return new URL(toHref('/https'), base).href;
}
