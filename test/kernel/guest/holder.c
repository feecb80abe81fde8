/* holder: another program that owns a GPIO line, as a fan or a button driver on the same Pi would.
 *
 *   holder CHIPDEV OFFSET NAME        requests the line as an input, prints "held", keeps it until killed
 *
 *   gcc -O2 -static -o holder holder.c */
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct gpio_v2_line_request request = { .num_lines = 1, .config.flags = GPIO_V2_LINE_FLAG_INPUT };
	if (argc != 4) {
		fprintf(stderr, "usage: %s CHIPDEV OFFSET NAME\n", argv[0]);
		return 2;
	}
	int chip = open(argv[1], O_RDWR | O_CLOEXEC);
	request.offsets[0] = atoi(argv[2]);
	strncpy(request.consumer, argv[3], sizeof request.consumer - 1);
	if (chip < 0 || ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0) {
		perror(argv[1]);
		return 1;
	}
	puts("held");
	fflush(stdout);
	for (;;)
		pause();
}
