/** The code of a refusal in the library's message, which has no code; null for any other failure. */
export function portRefusal(message: string): 'EACCES' | 'EPERM' | null {
  if (/operation not permitted/i.test(message)) return 'EPERM';
  return /permission denied|access denied/i.test(message) ? 'EACCES' : null;
}
