import type { Env } from '../env.ts'

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Returns true if portal and provider both have addresses that only this machine reaches. */
export function isLocalDeployment({
  PORTAL_ORIGIN,
  PROVIDER_ORIGIN,
}: Pick<Env, 'PORTAL_ORIGIN' | 'PROVIDER_ORIGIN'>): boolean {
  return [PORTAL_ORIGIN, PROVIDER_ORIGIN].every((origin) => LOOPBACK.test(new URL(origin).hostname))
}
