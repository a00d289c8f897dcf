import type { Env } from '../env.ts'

const LOOPBACK_HOST_PATTERN = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Returns true if portal and provider have loopback hosts, which only this machine can reach. */
export function isLocalDeployment({
  PORTAL_ORIGIN,
  PROVIDER_ORIGIN,
}: Pick<Env, 'PORTAL_ORIGIN' | 'PROVIDER_ORIGIN'>): boolean {
  return [PORTAL_ORIGIN, PROVIDER_ORIGIN].every((origin) => LOOPBACK_HOST_PATTERN.test(new URL(origin).hostname))
}
