import { type Answer, parseAnswer } from '../../../api/request-with-pin.ts';
import { toHref } from '../../../app/current-path.ts';
import { words } from '../../../words/restore.ts';

/** The backup that was restored. */
export interface RestoredBackup {
  readonly created_time: string;
  readonly is_doubtful: boolean;
}

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
      void parseAnswer<RestoredBackup>(request.status, parseJson(request.responseText)).then(resolve);
    });
    for (const end of ['error', 'abort', 'timeout']) {
      request.addEventListener(end, () =>
        resolve({ ok: false, status: 0, sentence: words.connectionLost, fields: {} }),
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
