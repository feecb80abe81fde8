/* toggler: the flow meters of the test. Makes N pulses (high, low, high) at a given rate on each of some gpio-sim
 * lines, through real kernel edges.
 *
 *   toggler DIR RATE_HZ N STAGGER_MS OFFSET...        DIR holds sim_gpioX/pull
 *
 * Each line starts, and therefore ends, STAGGER_MS after the one before it, as taps opened by hand do; lines that start
 * and stop at the same instant are electrical noise. Runs as SCHED_FIFO 40: above every reader, below the kernel's GPIO
 * interrupt threads (50), since a real meter does not wait for the processor. A late edge is never followed by a shorter
 * gap. The numbers sent so far are in the file $SENT (one 32-bit count per line, in the order given), so that they are
 * known after the toggler is killed. Prints one line of JSON at the end.
 *
 *   gcc -O2 -static -o toggler toggler.c */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAX_LINES 64

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

struct line {
	int fd;
	int is_low;
	int64_t next_ns;
	long left;
};

static uint32_t *open_counts(int lines)
{
	static uint32_t private_counts[MAX_LINES];
	const char *path = getenv("SENT");
	if (!path)
		return private_counts;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || ftruncate(fd, lines * sizeof(uint32_t)) < 0) {
		perror(path);
		exit(1);
	}
	void *map = mmap(NULL, lines * sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return map;
}

static struct line *earliest(struct line *line, int lines)
{
	struct line *first = NULL;
	for (int i = 0; i < lines; i++)
		if (line[i].left && (!first || line[i].next_ns < first->next_ns))
			first = &line[i];
	return first;
}

int main(int argc, char **argv)
{
	if (argc < 6 || argc > 5 + MAX_LINES) {
		fprintf(stderr, "usage: %s DIR RATE_HZ N STAGGER_MS OFFSET...\n", argv[0]);
		return 2;
	}
	const double hz = atof(argv[2]);
	const long pulses = atol(argv[3]);
	const int64_t half_ns = 0.5e9 / hz, stagger_ns = atof(argv[4]) * 1e6;
	const int lines = argc - 5;
	struct line line[MAX_LINES] = { 0 };
	uint32_t *sent = open_counts(lines);

	for (int i = 0; i < lines; i++) {
		char path[512];
		snprintf(path, sizeof path, "%s/sim_gpio%s/pull", argv[1], argv[5 + i]);
		if ((line[i].fd = open(path, O_WRONLY)) < 0) {
			perror(path);
			return 1;
		}
	}
	struct sched_param fifo = { .sched_priority = 40 };
	if (sched_setscheduler(0, SCHED_FIFO, &fifo) < 0)
		perror("sched_setscheduler");

	const int64_t start_ns = now_ns() + 1000000;
	int64_t late_ns = 0;
	for (int i = 0; i < lines; i++) {
		line[i].next_ns = start_ns + i * stagger_ns;
		line[i].left = pulses;
	}
	for (struct line *l; (l = earliest(line, lines));) {
		sleep_until(l->next_ns);
		const int64_t t = now_ns();
		if (t - l->next_ns > late_ns)
			late_ns = t - l->next_ns;
		l->is_low = !l->is_low;
		/* Counted before the falling edge: a reader can never have counted more than was sent. */
		if (l->is_low)
			sent[l - line]++;
		else
			l->left--;
		if (pwrite(l->fd, l->is_low ? "pull-down" : "pull-up", l->is_low ? 9 : 7, 0) < 0) {
			perror("pull");
			return 1;
		}
		l->next_ns += half_ns;
		if (l->next_ns < t + half_ns * 3 / 4)
			l->next_ns = t + half_ns * 3 / 4;
	}
	const double seconds = (now_ns() - start_ns - (lines - 1) * stagger_ns) / 1e9;
	printf("{\"lines\":%d,\"pulses\":%ld,\"hz\":%.1f,\"lateMs\":%.2f}\n", lines, pulses, pulses / seconds,
	       late_ns / 1e6);
	return 0;
}
