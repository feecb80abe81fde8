/**
 * Logs in to a running daemon and enters the password again: returns the headers of requests that write credentials, which
 * no key may.
 */
export async function logInConfirmed(
  url: string,
  username: string,
  password: string,
): Promise<Readonly<Record<string, string>>> {
  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  };
  const login = await post('login', { username, password });
  const cookies = login.headers.getSetCookie().map((one) => one.split(';')[0]);
  const headers = { Cookie: cookies.join('; ') };
  await post('confirm-password', { current_password: password }, headers);
  return headers;
}
