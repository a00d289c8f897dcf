import type { Env } from '../../env.ts'

/* Returns a list of keys: the first signs, all verify (docs/decisions/0050). An empty binding adds no key. */
const keys = (newest: string, old: string | undefined): readonly string[] => [
  newest,
  ...(old ?? '').split(',').filter((key) => key !== ''),
]

/** Keys of signed media URLs and of the edge's error reports. */
export const mediaKeys = (env: Env) => keys(env.MEDIA_KEY, env.MEDIA_KEY_OLD)
export const cookieKeys = (env: Env) => keys(env.PROVIDER_COOKIE_KEY, env.PROVIDER_COOKIE_KEY_OLD)
/** Keys that encrypt stored second factors, and the data in second-factor pages. */
export const factorKeys = (env: Env) => keys(env.FACTOR_KEY, env.FACTOR_KEY_OLD)
