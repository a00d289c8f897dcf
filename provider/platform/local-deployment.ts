import type { Env } from '../env.ts'

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether both portal and provider are at addresses that only this machine itself reaches. */
export function isLocalDeployment({
  PORTAL_ORIGIN,
  PROVIDER_ORIGIN,
}: Pick<Env, 'PORTAL_ORIGIN' | 'PROVIDER_ORIGIN'>): boolean {
  return [PORTAL_ORIGIN, PROVIDER_ORIGIN].every((origin) => LOOPBACK.test(new URL(origin).hostname))
}
