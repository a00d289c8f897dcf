const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Returns true if only browsers on this machine can reach the origin. */
export const isLoopbackOrigin = (origin: string): boolean => LOOPBACK_HOSTS.includes(new URL(origin).hostname)
