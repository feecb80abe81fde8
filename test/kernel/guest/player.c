/* player: plays the pulses of one flow meter at given times on a gpio-sim line, and notes when a relay's line goes off.
 *
 *   player PULL_FILE RELAY_VALUE_FILE TIMES      TIMES: one time per line, milliseconds, ascending
 *
 * Beer or gas runs only while the relay is on: playing ends RUN_ON_MS after it went off. Without a relay (-) all is played.
 * Runs with the priority of the toggler: a real meter does not wait for the processor. Prints one line of JSON: pulses
 * played, and when the relay went off, in milliseconds of the TIMES by the machine's monotonic clock.
 *
 *   gcc -O2 -static -o player player.c */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RUN_ON_MS 100
/* How often the relay is looked at, and how long after the last pulse. */
#define WATCH_NS 1000000LL
#define WATCH_AFTER_NS 3000000000LL

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	struct timespec t = { ns / 1000000000LL, ns % 1000000000LL };
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

static int64_t *read_times(const char *path, long *count)
{
	FILE *file = fopen(path, "r");
	int64_t *times = NULL;
	long room = 0;
	double ms;

	if (!file) {
		perror(path);
		exit(1);
	}
	for (*count = 0; fscanf(file, "%lf", &ms) == 1; (*count)++) {
		if (*count == room) {
			room = room ? 2 * room : 1024;
			times = realloc(times, room * sizeof *times);
			if (!times)
				exit(1);
		}
		times[*count] = ms * 1e6;
	}
	fclose(file);
	return times;
}

static int relay_fd = -1;
static int64_t off_ns = -1;

static int is_off(void)
{
	char level = '1';
	if (relay_fd >= 0 && off_ns < 0 && pread(relay_fd, &level, 1, 0) == 1 && level == '0')
		off_ns = now_ns();
	return off_ns >= 0;
}

/* Sleeps until a time and looks at the relay meanwhile; 0 once nothing runs any more. */
static int watch_until(int64_t ns)
{
	for (;;) {
		if (is_off() && now_ns() >= off_ns + RUN_ON_MS * 1000000LL)
			return 0;
		if (now_ns() >= ns)
			return 1;
		const int64_t next_ns = now_ns() + WATCH_NS;
		sleep_until(relay_fd < 0 || next_ns > ns ? ns : next_ns);
	}
}

int main(int argc, char **argv)
{
	long count, played = 0;
	if (argc != 4) {
		fprintf(stderr, "usage: %s PULL_FILE RELAY_VALUE_FILE TIMES\n", argv[0]);
		return 2;
	}
	const int64_t *times = read_times(argv[3], &count);
	const int line = open(argv[1], O_WRONLY);
	if (strcmp(argv[2], "-"))
		relay_fd = open(argv[2], O_RDONLY);
	if (line < 0 || (strcmp(argv[2], "-") && relay_fd < 0)) {
		perror(argv[1]);
		return 1;
	}
	struct sched_param fifo = { .sched_priority = 40 };
	if (sched_setscheduler(0, SCHED_FIFO, &fifo) < 0)
		perror("sched_setscheduler");

	const int64_t start_ns = now_ns() + 1000000;
	int64_t late_ns = 0;
	while (played < count && watch_until(start_ns + times[played])) {
		const int64_t late = now_ns() - (start_ns + times[played]);
		if (late > late_ns)
			late_ns = late;
		if (pwrite(line, "pull-down", 9, 0) < 0 || pwrite(line, "pull-up", 7, 0) < 0) {
			perror("pull");
			return 1;
		}
		played++;
	}
	if (relay_fd >= 0)
		watch_until(now_ns() + WATCH_AFTER_NS);
	printf("{\"played\":%ld,\"lateMs\":%.2f,\"offMs\":%.3f}\n", played, late_ns / 1e6,
	       off_ns < 0 ? -1.0 : (off_ns - start_ns) / 1e6);
	return 0;
}
