import { type Answer, parseAnswer, type Result } from '../../../api/client.ts';
import { toHref } from '../../../app/routing.ts';
import { t } from '../../../locales/locale.ts';

/** The backup that was restored. */
export type RestoredBackup = Result<'POST /setup/restore'>;

/**
 * Restores a backup of the machine or an uploaded file. `onSent` receives the share of the body that is sent.
 * Has no time-out, because a large upload takes minutes; never throws.
 */
export function sendBackup(body: FormData, onSent: (share: number) => void): Promise<Answer<RestoredBackup>> {
  return new Promise((resolve) => {
    // XMLHttpRequest, because `fetch` does not report upload progress.
    const request = new XMLHttpRequest();
    request.open('POST', toHref('/api/setup/restore'));
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onSent(loaded / total);
    });
    request.addEventListener('load', () => {
      resolve(parseAnswer<RestoredBackup>(request.status, parseJson(request.responseText)));
    });
    for (const end of ['error', 'abort', 'timeout']) {
      request.addEventListener(end, () =>
        resolve({ ok: false, status: 0, sentence: t('restore.connectionLost'), fields: {} }),
      );
    }
    request.send(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
