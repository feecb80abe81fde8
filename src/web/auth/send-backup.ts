import { type Answer, parseAnswer } from '../api/request-with-pin.ts';
import { toHref } from '../current-path.ts';
import { words } from '../words/restore.ts';

/** What came of it. */
export interface RestoredBackup {
  readonly created_time: string;
  readonly is_doubtful: boolean;
}

/**
 * Has a backup put back: one of the machine's own, or a file that is sent with it. `onSent` is told which share of the
 * body is out. Takes as long as it takes; never throws.
 */
export function sendBackup(body: FormData, onSent: (share: number) => void): Promise<Answer<RestoredBackup>> {
  return new Promise((resolve) => {
    // `fetch` cannot tell how much of a body has been sent.
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
