import type { Env } from '../env.ts'

/** Names of the objects that hold the logs: one per account, one per home. */
export const userLog = (userId: string): string => `user:${userId}`
export const homeLog = (homeId: string): string => `home:${homeId}`

/** The account is gone: what happened to it goes too, what it did in homes stays with their owners. */
export const endUserLog = (env: Env, userId: string): Promise<void> => env.ACTIVITY.getByName(userLog(userId)).end()
