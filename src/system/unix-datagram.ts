/** Sends datagrams to a Unix socket; Node.js supports only Unix stream sockets. */
interface UnixDatagramSender {
  /**
   * Returns true when the kernel accepted the message, false when the receiver is full or gone. Never waits.
   */
  send(message: string): boolean;
  close(): void;
}

// Constants of Linux, the same on x86 and ARM.
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

/** Length of `sun_path` including the terminating zero. */
const maxPathBytes = 108;

/** Opens a sender to `address`: an absolute path, or `@name` in the abstract namespace. */
export async function unixDatagramSender(address: string): Promise<UnixDatagramSender> {
  const target = toSocketAddress(address);
  // Loaded on demand: only a service under systemd needs it, and it uses memory.
  const { default: koffi } = await import('koffi');
  const libc = koffi.load(null);
  const socket = libc.func('int socket(int domain, int type, int protocol)');
  const close = libc.func('int close(int fd)');
  const sendto = libc.func(
    'intptr_t sendto(int fd, const uint8_t *data, size_t length, int flags, const uint8_t *address, uint32_t size)',
  );
  let fd: number = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw new Error(`No unix socket could be opened (errno ${koffi.errno()}).`);
  return {
    send(message) {
      if (fd < 0) return false;
      const data = Buffer.from(message, 'utf8');
      return (
        sendto(fd, data, data.length, MSG_DONTWAIT | MSG_NOSIGNAL, target, target.length) === data.length
      );
    },
    close() {
      if (fd >= 0) close(fd);
      fd = -1;
    },
  };
}

/**
 * Returns the kernel's `sockaddr_un`, cut to its used length, because the length is part of an abstract name.
 */
export function toSocketAddress(address: string): Buffer {
  const isAbstract = address.startsWith('@');
  if (!isAbstract && !address.startsWith('/')) {
    throw new Error(`The socket "${address}" is neither a path nor an abstract name.`);
  }
  const name = Buffer.from(isAbstract ? `\0${address.slice(1)}` : `${address}\0`, 'utf8');
  if (name.length > maxPathBytes) throw new Error(`The socket name "${address}" is too long.`);
  const buffer = Buffer.alloc(2 + name.length);
  buffer.writeUInt16LE(AF_UNIX, 0);
  name.copy(buffer, 2);
  return buffer;
}
