/** Time-out of a picture's upload: a phone's picture is some megabytes on a slow network, and the Pi has to resize it. */
export const pictureTimeoutMs = 120_000;
