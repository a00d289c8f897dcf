import type { Env } from '../../env.ts'

/* The first key of each list signs; all of them verify (docs/decisions/0050). An empty binding counts as none. */
const keys = (newest: string, old: string | undefined): readonly string[] => [
  newest,
  ...(old ?? '').split(',').filter((key) => key !== ''),
]

/** Keys of signed media URLs and of the edge's error reports. */
export const mediaKeys = (env: Env) => keys(env.MEDIA_KEY, env.MEDIA_KEY_OLD)
export const cookieKeys = (env: Env) => keys(env.PROVIDER_COOKIE_KEY, env.PROVIDER_COOKIE_KEY_OLD)
/** Keys of stored second factors, and of the data that their pages carry. */
export const factorKeys = (env: Env) => keys(env.FACTOR_KEY, env.FACTOR_KEY_OLD)
