// Run by the service's own unit instead of the daemon: tries what the sandbox must forbid and what it must
// permit, and writes the outcomes: "allowed", or the name of the error.
const {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  chmodSync,
} = require('node:fs');
const { createRequire } = require('node:module');
const koffi = createRequire('/opt/tapster/package.json')('koffi');

const libc = koffi.load('libc.so.6');
/** Calls a function of the C library; throws the error of errno. */
const call = (signature, ...args) => {
  if (libc.func(signature)(...args) >= 0) return;
  const errno = koffi.errno();
  const [code] = Object.entries(koffi.os.errno).find(([, number]) => number === errno) ?? [String(errno)];
  throw Object.assign(new Error(code), { code });
};
const write = (file) => () => writeFileSync(file, 'probe');
const open = (file, flags) => () => closeSync(openSync(file, flags));
/** Opens a serial port whose driver is absent: the driver's answer is reached only with permission. */
const openSerial = (file) => () => {
  try {
    open(file, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)();
  } catch (error) {
    if (!['ENXIO', 'ENODEV', 'EIO'].includes(error.code)) throw error;
  }
};
const socket = (family, type, protocol) => () => call('int socket(int, int, int)', family, type, protocol);
const chip = readFileSync('/run/taps.dev', 'latin1').trim();

const attempts = {
  forbidden: {
    'write to its own program': write('/opt/tapster/dist/main.js'),
    'write to /etc': write('/etc/probe'),
    'write its own settings': write('/etc/tapster/tapster.json'),
    'write to /usr': write('/usr/local/bin/probe'),
    'write to /var/log': write('/var/log/probe'),
    'write to /home': write('/home/probe'),
    'read a home folder': () => readFileSync('/home/pi/tapster/package.json'),
    'read the home folder of root': () => readdirSync('/root'),
    'write a kernel setting': write('/proc/sys/kernel/printk'),
    'write to sysfs': write('/sys/power/state'),
    'read another process': () => readFileSync('/proc/1/cmdline'),
    'read the kernel log': open('/dev/kmsg', 'r'),
    'open the disk': open('/dev/vda', 'r'),
    'open the memory': open('/dev/mem', 'r'),
    'open a console': open('/dev/console', 'r+'),
    'open a netlink socket': socket(16, 3, 0),
    'send raw frames': socket(17, 3, 0),
    'send raw packets': socket(2, 3, 1),
    'open a kernel crypto socket': socket(38, 5, 0),
    'mount something': () => call('int mount(str, str, str, long, void*)', 'none', '/tmp', 'tmpfs', 0, null),
    'create a user namespace': () => call('int unshare(int)', 0x10000000),
    'create a network namespace': () => call('int unshare(int)', 0x40000000),
    'become root': () => call('int setuid(int)', 0),
    'change the root folder': () => call('int chroot(str)', '/tmp'),
    'set the clock': () => call('int settimeofday(void*, void*)', Buffer.alloc(16), null),
    'change the host name': () => call('int sethostname(str, long)', 'probe', 5),
    'switch the machine off': () => call('int reboot(int)', 0),
    'set real-time scheduling': () =>
      call('int sched_setscheduler(int, int, void*)', 0, 1, Buffer.from([1, 0, 0, 0])),
    'emulate another architecture': () => call('int personality(ulong)', 8),
    'create a set-uid program': () => {
      writeFileSync('/var/lib/tapster/suid', '');
      chmodSync('/var/lib/tapster/suid', 0o4755);
    },
    'trace another process': () => call('long ptrace(int, int, void*, void*)', 16, 1, null, null),
  },
  needed: {
    'write to its database folder': write('/var/lib/tapster/probe'),
    'write a temporary file': write('/tmp/probe'),
    'read its settings': () => readFileSync('/etc/tapster/tapster.json'),
    'read the interrupts': () => readFileSync('/proc/interrupts'),
    'read its own IPv4 addresses': () =>
      require('node:assert').match(readFileSync('/proc/net/fib_trie', 'latin1'), /127\.0\.0\.1/),
    'read its own IPv6 addresses': () => readFileSync('/proc/net/if_inet6'),
    'read the routes': () => readFileSync('/proc/net/route'),
    'open the chip of the taps': open(`/dev/${chip}`, 'r+'),
    'open a USB adapter plugged in later': openSerial('/dev/ttyUSB9'),
    'open an Arduino plugged in later': openSerial('/dev/ttyACM9'),
    'open the serial port of the header': openSerial('/dev/ttyAMA9'),
    'open the mini UART of the header by a link': openSerial('/dev/serial9'),
    'listen with IPv4': socket(2, 1, 0),
    'listen with IPv6': socket(10, 1, 0),
    'notify systemd': socket(1, 2, 0),
  },
};

const outcomes = {};
for (const [group, tries] of Object.entries(attempts)) {
  outcomes[group] = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      attempt();
      outcomes[group][name] = 'allowed';
    } catch (error) {
      outcomes[group][name] = error.code ?? String(error);
    }
  }
}
writeFileSync('/var/lib/tapster/sandbox-check.json', JSON.stringify(outcomes));
