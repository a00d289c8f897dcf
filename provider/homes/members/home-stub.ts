import type { Env } from '../../env.ts'

export const homeStub = (env: Env, homeId: string) => env.HOMES.getByName(homeId)
