import type { Env } from '../../env.ts'

/** The Durable Object of a home. */
export const homeStub = (env: Env, homeId: string) => env.HOMES.getByName(homeId)
