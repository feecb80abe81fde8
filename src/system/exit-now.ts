/**
 * Ends the process with an exit code, everything being flushed already. `process.exit` first waits for the thread pool,
 * and a read from a hung 1-Wire bus never comes back; the C library's `_exit` waits for nobody.
 */
export async function exitNow(code: number): Promise<never> {
  try {
    const { default: koffi } = await import('koffi');
    koffi.load('libc.so.6').func('void _exit(int code)')(code);
  } catch {
    // Another C library or none to be had: the ordinary way is nearly always good enough.
  }
  process.exit(code);
}
