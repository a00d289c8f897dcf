import type { Env } from '../../env.ts'
import { getObject } from '../../platform/objects.ts'

export const homeStub = (env: Env, homeId: string) => getObject(env, 'HOMES', homeId)
