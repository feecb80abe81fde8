import { say } from './words/say.ts';

/** Post JSON to the daemon; resolves to null when it was taken, else to a sentence that says why not. */
export async function post(address: string, body: unknown): Promise<string | null> {
  try {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    if (reply.ok) return null;
    return (await reasonIn(reply)) ?? say.saidNo(reply.status);
  } catch {
    return say.noAnswer;
  }
}

async function reasonIn(reply: Response): Promise<string | null> {
  const body: unknown = await reply.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  return typeof error.message === 'string' && error.message !== '' ? error.message : null;
}
