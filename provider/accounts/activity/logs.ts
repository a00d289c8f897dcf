/** Names of the objects that hold the logs: one per account, one per home. */
export const userLog = (userId: string): string => `user:${userId}`
export const homeLog = (homeId: string): string => `home:${homeId}`
