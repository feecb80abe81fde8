import { useSignal } from '@preact/signals';
import '../../styles/frame/site-background.css';

/** The site's background picture behind a page; its contrast is lowered so that every text stays readable. */
export function SiteBackground({ url }: { readonly url: string | null }) {
  const failedUrl = useSignal('');
  if (url === null || url === failedUrl.value) return null;
  return (
    <div class="site-background" aria-hidden="true">
      <img src={url} alt="" onError={() => (failedUrl.value = url)} />
    </div>
  );
}
